{ random.pas - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player:
  make it a little better, again and again. }
program RandomPlayer;

{$mode objfpc}

uses
  mactech98;

var
  pointsPlayed: Boolean = False;    { a heart or the queen of spades was played on an earlier trick of this hand }

{$push}{$hints off}    { parameters that this player does not look at }

procedure InitTournament(numPlayers: UInt16; gameEndingScore: UInt16);
begin
  Randomize;
end;

procedure InitGame(const playerID: PlayerIDs; yourSeat: UInt16);
begin
  RandSeed := RandSeed + LongInt(playerID[yourSeat]);    { so that two of us do not play alike }
end;

procedure SelectPass(const dealtHand: Cards13; passDirection: Pass; var passedCards: Indices3);
begin
  pointsPlayed := False;
  passedCards[0] := Random(13);
  repeat passedCards[1] := Random(13) until passedCards[1] <> passedCards[0];
  repeat passedCards[2] := Random(13) until (passedCards[2] <> passedCards[0]) and (passedCards[2] <> passedCards[1]);
end;

procedure PlayTrick(trickNumber: UInt16; trickLeader: UInt16; const yourHand: Cards13; const cardsPlayed: Cards4;
  var yourPlay: UInt16);
var
  legal: array[0 .. 12] of Integer;
  count, i: Integer;
begin
  count := 0;
  for i := 0 to 12 do
    if IsLegal(yourHand, i, trickNumber, cardsPlayed[trickLeader], pointsPlayed) then
    begin
      legal[count] := i;
      Inc(count);
    end;
  yourPlay := legal[Random(count)];
end;

procedure TrickResults(const lastTrick: Cards4; trickWinner: UInt16);
var
  i: Integer;
begin
  for i := 0 to 3 do pointsPlayed := pointsPlayed or IsPoint(lastTrick[i]);
end;

procedure HandResults(const pointsThisHand: HandPoints; const totals: CumPoints);
begin
end;

{$pop}

{ Do not change this. }
begin
  PlayHearts(@InitTournament, @InitGame, @SelectPass, @PlayTrick, @TrickResults, @HandResults);
end.
