{ shell.pas - an empty Intensity player, for you to fill in.

  Author:
  Strategy in one line:

  Read intensity_kit.pas first: it describes the question. This shell plays the first card that is allowed, so it follows the
  rules from the start. Change one thing at a time, and play a few games after every change. }
program Shell;

{$mode objfpc}{$H+}
{$assertions on}

uses
  intensity_kit;

{ At most 32 characters. }
function PlayerName: string;
begin
  PlayerName := 'COMP1511 student';
end;

{ The three cards of your hand (ten numbers, in increasing order) that go to the player on your left. }
function ChooseDiscards(const hand: Cards): Cards;
begin
  ChooseDiscards := Copy(hand, 0, 3);
end;

{ The card that you play: see Question in intensity_kit.pas. }
function ChooseCard(const asked: Question): Integer;
begin
  ChooseCard := LegalCards(asked)[0];
end;

{ The contest runs this when it checks your program, and shows you what it prints. }
procedure RunUnitTests;
var
  sample: Question;
begin
  sample := Default(Question);
  sample.Hand := Cards.Create(11, 15, 18, 23, 33, 34, 47, 48, 49);
  sample.Table := Cards.Create(24, 26);
  sample.Played := Cards.Create(16, 13, 19, 12);
  Assert(Length(LegalCards(sample)) = 1);
  Assert(ChooseCard(sample) = 23);
  WriteLn('all tests passed');
end;

{ Do not change this. }
begin
  PlayIntensity(@PlayerName, @ChooseDiscards, @ChooseCard, @RunUnitTests);
end.
