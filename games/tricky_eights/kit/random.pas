{ random.pas - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
  make it a little better, again and again. }
program RandomPlayer;

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
begin
  TakeCard := GAME.Pool[RandomInt(GAME.PoolCount)];
end;

procedure EndTakes;
begin
end;

function PlayCard: Card;
var
  legal: CardList;
  count: Integer;
begin
  count := LegalCards(legal);
  PlayCard := legal[RandomInt(count)];
end;

procedure EndRound;
begin
end;

{ Do not change this. }
begin
  PlayTrickyEights(@StartGame, @StartRound, @TakeCard, @EndTakes, @PlayCard, @EndRound);
end.
