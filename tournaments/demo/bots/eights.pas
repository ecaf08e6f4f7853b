{ Memoryless, and fond of eights: wins when an eight lies on the table, gives its lowest card otherwise. }
program Eights;

{$mode objfpc}

uses
  acm98;

procedure StartGame;
begin
end;

procedure StartRound;
begin
end;

function TakeCard: Card;
var
  i: Integer;
  best: Card;
begin
  best := GAME.Pool[0];
  for i := 1 to GAME.PoolCount - 1 do
    if Face(GAME.Pool[i]) > Face(best) then
      best := GAME.Pool[i];
  TakeCard := best;
end;

procedure EndTakes;
begin
end;

function PlayCard: Card;
var
  legal: CardList;
  count, i: Integer;
  lowest, highest: Card;
begin
  count := LegalCards(legal);
  lowest := legal[0];
  highest := legal[0];
  for i := 1 to count - 1 do
  begin
    if Face(legal[i]) < Face(lowest) then
      lowest := legal[i];
    if Face(legal[i]) > Face(highest) then
      highest := legal[i];
  end;
  if GAME.Current.Count = 0 then
    PlayCard := highest
  else if (GAME.Current.Points >= 3) and WouldWin(highest) then
    PlayCard := highest
  else if (GAME.Current.Count = 3) and WouldWin(highest) then
    PlayCard := highest
  else
    PlayCard := lowest;
end;

procedure EndRound;
begin
end;

{ Do not change this. }
begin
  PlayTrickyEights(@StartGame, @StartRound, @TakeCard, @EndTakes, @PlayCard, @EndRound);
end.
