{ shell.pas - an empty player of Even Steven, for you to fill in.

  Team:
  Strategy in one line:

  Read the first part of steven.pas: it describes Card, the record GAME, and the helper routines. This shell plays the first
  card of its hand, whatever was dealt. Write ChooseCard, then try it:

      printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.pas }
program Shell;

{$mode objfpc}{$H+}

uses
  SysUtils, steven;

{ Return the card of your hand that you play on GAME.Open: one of GAME.Hand[0 .. GAME.Count - 1]. If none of them covers it,
  the game is lost; play one all the same. Not all games can be won. }
function ChooseCard: Card;
begin
  Result := GAME.Hand[0];
end;

var
  mine: Card;
begin
  StartGames;
  while NextCard do
  begin
    mine := ChooseCard;
    Debug(Format('game %d: %s is dealt, I play %s', [GAME.Number, GAME.Open.Name, mine.Name]));
    PlayCard(mine);
  end;
end.
