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

begin
  RandSeed := LongInt(GetTickCount64); { Randomize counts only seconds }
  Run(@ChooseCard, @AnswerChallenge, nil);
end.
