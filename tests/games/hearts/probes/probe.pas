{ Tells on standard error what each routine is called with, and plays as told below. }
program Probe;

{$mode objfpc}

uses
  mactech98;

const
  Answers: array[0 .. 12] of Integer = (5, 4, 0, 1, 2, 10, 3, 6, 12, 7, 8, 9, 11);

var
  seat: Integer;

procedure Show(const cards: array of Card);
var
  i: Integer;
begin
  for i := 0 to High(cards) do Write(StdErr, ' ', Ord(cards[i].suit), '.', Ord(cards[i].spot));
  WriteLn(StdErr);
end;

procedure InitTournament(numPlayers: UInt16; gameEndingScore: UInt16);
begin
  WriteLn(StdErr, 'tournament ', numPlayers, ' ', gameEndingScore);
end;

procedure InitGame(const playerID: PlayerIDs; yourSeat: UInt16);
begin
  seat := yourSeat;
  WriteLn(StdErr, 'game ', playerID[0], ' ', playerID[1], ' ', playerID[2], ' ', playerID[3], ' seat ', seat);
end;

procedure SelectPass(const dealtHand: Cards13; passDirection: Pass; var passedCards: Indices3);
begin
  Write(StdErr, 'pass ', Ord(passDirection), ':');
  Show(dealtHand);
  passedCards[0] := 0;
  passedCards[1] := 1;
  passedCards[2] := 2;
end;

procedure PlayTrick(trickNumber: UInt16; trickLeader: UInt16; const yourHand: Cards13; const cardsPlayed: Cards4;
  var yourPlay: UInt16);
begin
  Write(StdErr, 'play ', trickNumber, ' leader ', trickLeader, ' table');
  Show(cardsPlayed);
  Write(StdErr, 'hand');
  Show(yourHand);
  yourPlay := Answers[trickNumber];
end;

procedure TrickResults(const lastTrick: Cards4; trickWinner: UInt16);
begin
  Write(StdErr, 'winner ', trickWinner);
  Show(lastTrick);
end;

procedure HandResults(const pointsThisHand: HandPoints; const totals: CumPoints);
begin
  WriteLn(StdErr, 'points ', pointsThisHand[0], ' ', pointsThisHand[1], ' ', pointsThisHand[2], ' ', pointsThisHand[3],
    ' total ', totals[0], ' ', totals[1], ' ', totals[2], ' ', totals[3], ' mine ', pointsThisHand[seat]);
end;

begin
  PlayHearts(@InitTournament, @InitGame, @SelectPass, @PlayTrick, @TrickResults, @HandResults);
end.
