{ An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge. }
program Shell;

{$mode objfpc}{$H+}

uses
  barracuda;

function ChooseCard(const State: TState): Integer;
begin
  ChooseCard := State.Hand[0];
end;

function AnswerChallenge(const State: TState): Boolean;
begin
  AnswerChallenge := False;
end;

{ Such as Kind = 'trick_won', By = 1, Card = 13; By is Me when it was you. }
procedure HearResult(const Outcome: TResult);
begin
end;

begin
  Run(@ChooseCard, @AnswerChallenge, @HearResult);
end.
