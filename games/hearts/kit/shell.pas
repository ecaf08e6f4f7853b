{ shell.pas - an empty contestant for Hearts, for you to fill in.

  Team:
  Strategy in one line:

  Read mactech98.pas first: it has the types of the six routines, with the names that were printed in 1998. This shell passes its
  first three cards and plays the first card that is allowed, so it follows the rules from the start. Change one thing at a
  time, and play a few games after every change.

  Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the
  next. Every millisecond of processor time in your routines costs a point. }
program Shell;

{$mode objfpc}

uses
  mactech98;

var
  me: Integer = 0;                  { our seat }
  pointsPlayed: Boolean = False;    { a heart or the queen of spades was played on an earlier trick of this hand }

{$push}{$hints off}    { parameters that the shell does not look at }

{ InitTournament is called once, before anything else. numPlayers: how many players take part in the tournament;
  gameEndingScore: a game is over after the hand in which somebody has so many points. }
procedure InitTournament(numPlayers: UInt16; gameEndingScore: UInt16);
begin
end;

{ InitGame is called before each game. playerID tells who sits where: the same number is the same player throughout the
  tournament. Player i + 1 (mod 4) sits to the left of player i. }
procedure InitGame(const playerID: PlayerIDs; yourSeat: UInt16);
begin
  me := yourSeat;
end;

{ SelectPass is called at the beginning of every hand. Write three different indices of dealtHand (0 .. 12) into passedCards.
  With kNoPass nothing is passed, and what you write is ignored. }
procedure SelectPass(const dealtHand: Cards13; passDirection: Pass; var passedCards: Indices3);
begin
  pointsPlayed := False;
  passedCards[0] := 0;
  passedCards[1] := 1;
  passedCards[2] := 2;
end;

{ PlayTrick is called 13 times a hand. yourHand has gaps (NoCard) where cards were played, and the cards that were passed to
  you in the places of those that you passed. cardsPlayed is indexed by seat; only the entries from trickLeader to the one
  before your seat are cards. Write the index of your card into yourPlay. }
procedure PlayTrick(trickNumber: UInt16; trickLeader: UInt16; const yourHand: Cards13; const cardsPlayed: Cards4;
  var yourPlay: UInt16);
var
  i: Integer;
begin
  for i := 12 downto 0 do
    if IsLegal(yourHand, i, trickNumber, cardsPlayed[trickLeader], pointsPlayed) then yourPlay := i;
end;

{ TrickResults is called after each trick: what everybody played, by seat, and who took it. }
procedure TrickResults(const lastTrick: Cards4; trickWinner: UInt16);
var
  i: Integer;
begin
  for i := 0 to 3 do pointsPlayed := pointsPlayed or IsPoint(lastTrick[i]);
end;

{ HandResults is called after each hand. A player who has shot the moon gets -26 points. }
procedure HandResults(const pointsThisHand: HandPoints; const totals: CumPoints);
begin
  WriteLn(StdErr, 'my points: ', pointsThisHand[me], ', now ', totals[me], ' in all');
end;

{$pop}

{ Do not change this. }
begin
  PlayHearts(@InitTournament, @InitGame, @SelectPass, @PlayTrick, @TrickResults, @HandResults);
end.
