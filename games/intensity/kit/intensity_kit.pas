{ intensity_kit.pas - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
  puts its own copy beside your file.

  You write four routines (shell.pas describes them):

      PlayerName   ChooseDiscards   ChooseCard   RunUnitTests

  The last line of your program hands them to PlayIntensity, which reads the question, calls the one that is wanted, and prints
  what it returns. Your program is started again for every question: nothing is left of the question before.

  Print nothing to standard output: it belongs to the answer. Debug with WriteLn(StdErr, ...); only your team can read that
  afterwards. }
unit intensity_kit;

{$mode objfpc}{$H+}

interface

const
  Buffalo = 47;

type
  Cards = array of Integer;            { cards are numbers, 10 .. 49 }

  Play = record
    Position: Integer;
    Card: Integer;
  end;

  Round = array of Play;               { in the order of play }
  Rounds = array of Round;

  { Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order. }
  Question = record
    Position: Integer;                 { your place at the table, 0 .. 3 }
    Hand: Cards;
    Table: Cards;                      { the cards of this round so far; empty: you lead }
    Played: Cards;                     { the cards of all rounds before }
    Discarded: Cards;                  { what you gave to the player on your left, (Position + 1) mod 4 }
    Received: Cards;                   { what you got from the player on your right }
  end;

  NameRoutine = function: string;
  DiscardsRoutine = function(const hand: Cards): Cards;
  CardRoutine = function(const asked: Question): Integer;
  TestsRoutine = procedure;

function IsCalf(card: Integer): Boolean;

{ What a card costs the player who wins its round. }
function Penalty(card: Integer): Integer;

{ Whether a calf was played in an earlier round, so that calves may be led. }
function CalfPlayed(const asked: Question): Boolean;

{ The cards that you may play, in increasing order. }
function LegalCards(const asked: Question): Cards;

{ The rounds before this one. }
function RoundsBefore(const asked: Question): Rounds;

{ The cards of this round so far. }
function OnTheTable(const asked: Question): Round;

{ Who wins a round. }
function Winner(const plays: Round): Integer;

{ Any of 0 .. n - 1: different in every run, unless the environment variable INTENSITY_SEED holds a number. }
function RandomInt(n: Integer): Integer;

{ Answer the question on standard input. }
procedure PlayIntensity(playerName: NameRoutine; chooseDiscards: DiscardsRoutine; chooseCard: CardRoutine;
  runUnitTests: TestsRoutine);

implementation

uses
  SysUtils;

function IsCalf(card: Integer): Boolean;
begin
  Result := (card >= 30) and (card <= 39);
end;

function Penalty(card: Integer): Integer;
begin
  if card = Buffalo then Result := 7 else Result := Ord(IsCalf(card));
end;

function CalfPlayed(const asked: Question): Boolean;
var
  card: Integer;
begin
  for card in asked.Played do
    if IsCalf(card) then Exit(True);
  Result := False;
end;

function LegalCards(const asked: Question): Cards;
var
  card, count: Integer;
  allowed: Boolean;
begin
  Result := nil;
  SetLength(Result, Length(asked.Hand));
  count := 0;
  for card in asked.Hand do
  begin
    if Length(asked.Table) > 0 then
      allowed := card div 10 = asked.Table[0] div 10
    else
      allowed := not IsCalf(card) or CalfPlayed(asked);
    if not allowed then Continue;
    Result[count] := card;
    Inc(count);
  end;
  SetLength(Result, count);
  if count = 0 then Result := Copy(asked.Hand);
end;

function Winner(const plays: Round): Integer;
var
  best, next: Play;
begin
  best := plays[0];
  for next in plays do
    if (next.Card div 10 = best.Card div 10) and (next.Card > best.Card) then best := next;
  Result := best.Position;
end;

function RoundsBefore(const asked: Question): Rounds;
var
  i, leader: Integer;
begin
  Result := nil;
  SetLength(Result, Length(asked.Played) div 4, 4);
  leader := 0;
  for i := 0 to High(asked.Played) do
  begin
    Result[i div 4][i mod 4].Position := (leader + i) mod 4;
    Result[i div 4][i mod 4].Card := asked.Played[i];
    if i mod 4 = 3 then leader := Winner(Result[i div 4]);
  end;
end;

function OnTheTable(const asked: Question): Round;
var
  i: Integer;
begin
  Result := nil;
  SetLength(Result, Length(asked.Table));
  for i := 0 to High(Result) do
  begin
    Result[i].Position := (asked.Position + 4 - Length(asked.Table) + i) mod 4;
    Result[i].Card := asked.Table[i];
  end;
end;

var
  seeded: Boolean = False;

function RandomInt(n: Integer): Integer;
var
  here: Integer;
begin
  { Randomize counts seconds: the time in milliseconds and the place of our stack tell two programs apart. }
  here := Integer(GetTickCount64 and $7FFFFFFF) xor Integer((PtrUInt(@here) shr 4) and $7FFFFFFF);
  if not seeded then RandSeed := StrToIntDef(GetEnvironmentVariable('INTENSITY_SEED'), here);
  seeded := True;
  Result := Random(n);
end;

function ReadNumbers(count: Integer): Cards;
var
  i: Integer;
begin
  Result := nil;
  SetLength(Result, count);
  for i := 0 to count - 1 do
  begin
    if SeekEof then
    begin
      WriteLn(StdErr, 'the input ends where a number should be');
      Halt(1);
    end;
    Read(Result[i]);
  end;
end;

procedure WriteNumbers(const numbers: Cards);
var
  number: Integer;
begin
  for number in numbers do Write(number, ' ');
  Write(#10);
end;

function ReadQuestion: Question;
var
  about: Cards;
begin
  about := ReadNumbers(3);
  Result.Position := about[2];
  Result.Hand := ReadNumbers(about[0]);
  Result.Table := ReadNumbers(about[1]);
  Result.Played := ReadNumbers(4 * (10 - about[0]));
  Result.Discarded := ReadNumbers(3);
  Result.Received := ReadNumbers(3);
end;

procedure PlayIntensity(playerName: NameRoutine; chooseDiscards: DiscardsRoutine; chooseCard: CardRoutine;
  runUnitTests: TestsRoutine);
begin
  case ReadNumbers(1)[0] of
    0: Write(playerName(), #10);
    1: WriteNumbers(chooseDiscards(ReadNumbers(10)));
    2: Write(chooseCard(ReadQuestion), #10);
  else
    runUnitTests();
  end;
end;

end.
