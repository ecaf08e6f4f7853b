{ random.pas - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
  make it a little better, again and again. }
program RandomPlayer;

{$mode objfpc}{$H+}

uses
  intensity_kit;

function PlayerName: string;
begin
  PlayerName := 'Random in Pascal';
end;

function ChooseDiscards(const hand: Cards): Cards;
var
  i, place: Integer;
  left: Cards;
begin
  left := Copy(hand);
  ChooseDiscards := nil;
  SetLength(ChooseDiscards, 3);
  for i := 0 to 2 do
  begin
    place := RandomInt(10 - i);
    ChooseDiscards[i] := left[place];
    left[place] := left[9 - i];
  end;
end;

function ChooseCard(const asked: Question): Integer;
var
  legal: Cards;
begin
  legal := LegalCards(asked);
  ChooseCard := legal[RandomInt(Length(legal))];
end;

procedure RunUnitTests;
begin
  WriteLn('no tests');
end;

{ Do not change this. }
begin
  PlayIntensity(@PlayerName, @ChooseDiscards, @ChooseCard, @RunUnitTests);
end.
