{ steven.pas - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.

      uses steven;

      begin
        StartGames;
        while NextCard do
          PlayCard(GAME.Hand[0]);
      end.

  NextCard reads until a card must be covered, and is False when all games are over. You then play a card of GAME.Hand.
  All of this is optional: a program that reads and writes the lines of rules.md itself is just as good. }
unit steven;

{$mode objfpc}{$H+}

interface

const
  MostCards = 13;

type
  Card = record
    Name: string[3];     { as the dealer writes it, such as '10c' }
    Value: Integer;      { 2 .. 14: jack 11, queen 12, king 13, ace 14 }
    Suit: Char;          { 'c', 'd', 'h', 's': it has no effect on anything }
  end;

  CardList = array[0 .. MostCards - 1] of Card;

  GameRecord = record
    Number: Integer;     { of this game: 1, 2, 3, ... }
    Size: Integer;       { cards that you were dealt, and that you must cover }
    Count: Integer;      { cards that you still hold }
    Hand: CardList;      { these: Hand[0 .. Count - 1], in the order of the deal }
    Open: Card;          { the card that you must cover now }
    Dealt: Integer;      { cards dealt so far, the open one included }
    Past: CardList;      { all of them, in order; the last is the open one }
    Played: CardList;    { what you played on them: Played[0 .. Dealt - 2] }
    Won, Lost: Integer;  { games so far }
  end;

var
  GAME: GameRecord;

{ Call this first. }
procedure StartGames;

{ Waits until a card must be covered: GAME.Open. False when all games are over: end your program then. }
function NextCard: Boolean;

{ Plays this card on the open one. }
procedure PlayCard(c: Card);

{ Whether a card of yours may lie on that dealt card. }
function Covers(mine, dealt: Card): Boolean;

{ Any of 0 .. n - 1. To repeat a run exactly, set the environment variable STEVEN_SEED to a number. }
function RandomInt(n: Integer): Integer;

{ Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without an
  argument, nothing is written. }
procedure Debug(const line: string);

implementation

uses
  SysUtils;

const
  Values: array[2 .. 14] of string = ('2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A');
  Blanks = [' ', #9, #13];

procedure StartGames;
var
  here: Integer;
begin
  GAME := Default(GameRecord);
  { Randomize counts seconds: the time in milliseconds and the place of our stack tell two programs apart. }
  here := Integer(GetTickCount64) xor Integer((PtrUInt(@here) shr 4) and $7FFFFFFF);
  RandSeed := StrToIntDef(GetEnvironmentVariable('STEVEN_SEED'), here);
end;

function Covers(mine, dealt: Card): Boolean;
begin
  Result := mine.Value >= dealt.Value;
end;

function RandomInt(n: Integer): Integer;
begin
  Result := Random(n);
end;

procedure Say(const line: string);
begin
  WriteLn(line);
  Flush(Output);
end;

procedure Debug(const line: string);
begin
  if ParamCount > 0 then Say('* ' + line);
end;

function IsCard(const word: string; out c: Card): Boolean;
var
  v: Integer;
begin
  c := Default(Card);
  Result := False;
  if (Length(word) < 2) or (Length(word) > 3) or (Pos(word[Length(word)], 'cdhs') = 0) then Exit;
  for v := 2 to 14 do
    if Values[v] = Copy(word, 1, Length(word) - 1) then
    begin
      c.Name := word;
      c.Value := v;
      c.Suit := word[Length(word)];
      Result := True;
    end;
end;

{ Takes the first word from a line; '' if there is none. }
function TakeWord(var line: string): string;
var
  first, after: Integer;
begin
  first := 1;
  while (first <= Length(line)) and (line[first] in Blanks) do Inc(first);
  after := first;
  while (after <= Length(line)) and not (line[after] in Blanks) do Inc(after);
  Result := Copy(line, first, after - first);
  line := Copy(line, after, Length(line));
end;

{ The rest of a line such as `4 4h 2d Qs Jc`. }
procedure Deal(size: Integer; line: string);
var
  word: string;
begin
  Inc(GAME.Number);
  GAME.Size := size;
  GAME.Count := 0;
  GAME.Dealt := 0;
  word := TakeWord(line);
  while (word <> '') and (GAME.Count < MostCards) do
  begin
    if IsCard(word, GAME.Hand[GAME.Count]) then Inc(GAME.Count);
    word := TakeWord(line);
  end;
end;

function NextCard: Boolean;
var
  line, word: string;
begin
  while not Eof do
  begin
    ReadLn(line);
    word := TakeWord(line);
    if word = 'YOU' then
    begin
      word := TakeWord(line);
      if word = 'WIN' then Inc(GAME.Won);
      if word = 'LOSE' then Inc(GAME.Lost);
    end
    else if StrToIntDef(word, 0) > 0 then
      Deal(StrToInt(word), line)
    else if IsCard(word, GAME.Open) then
    begin
      if GAME.Dealt < MostCards then
      begin
        GAME.Past[GAME.Dealt] := GAME.Open;
        Inc(GAME.Dealt);
      end;
      Exit(True);
    end;
  end;
  Result := False;
end;

procedure PlayCard(c: Card);
var
  place, i: Integer;
begin
  place := 0;
  while (place < GAME.Count) and (GAME.Hand[place].Name <> c.Name) do Inc(place);
  if place = GAME.Count then
    WriteLn(StdErr, 'steven: ', c.Name, ' is not in your hand')
  else
  begin
    Dec(GAME.Count);
    for i := place to GAME.Count - 1 do GAME.Hand[i] := GAME.Hand[i + 1];
  end;
  if GAME.Dealt > 0 then GAME.Played[GAME.Dealt - 1] := c;
  Say(c.Name);
end;

end.
