{ random.pas - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it. }
program RandomPlayer;

{$mode objfpc}{$H+}

uses
  steven;

var
  mine: Card;
begin
  StartGames;
  while NextCard do
  begin
    mine := GAME.Hand[RandomInt(GAME.Count)];
    Debug(GAME.Open.Name + ' is dealt, I play ' + mine.Name);
    PlayCard(mine);
  end;
end.
