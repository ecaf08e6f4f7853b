{ Plays anything that the rules allow. Replace the two choices by your own. }
program RandomPlayer;

{$mode objfpc}{$H+}

uses
  SysUtils, barracuda;

{ A card of the hand, or a challenge where one may be offered. }
function ChooseCard(const State: TState): Integer;
begin
  if State.CanChallenge and (Random(20) = 0) then
    Exit(OfferChallenge);
  ChooseCard := State.Hand[Random(Length(State.Hand))];
end;

{ Whether to accept the challenge that the other player has offered. }
function AnswerChallenge(const State: TState): Boolean;
begin
  AnswerChallenge := Random(2) = 0;
end;

{ Randomize counts seconds: the time in milliseconds and the place of our stack tell two programs apart. }
procedure Seed;
var
  here: Integer;
begin
  RandSeed := Integer(GetTickCount64 and $7FFFFFFF) xor Integer((PtrUInt(@here) shr 4) and $7FFFFFFF);
end;

begin
  Seed;
  Run(@ChooseCard, @AnswerChallenge, nil);
end.
