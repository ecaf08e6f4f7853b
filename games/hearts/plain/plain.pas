{ Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played. }
program Plain;

{$mode objfpc}{$H+}

uses
  SysUtils;

var
  line, led: string;
  words: TStringArray;
  hand: array[0 .. 12] of string;
  i, seat, chosen: Integer;
  may: Boolean;

procedure Say(const text: string);
begin
  WriteLn(text);
  Flush(Output);
end;

function SuitOf(const card: string): Char;
begin
  Result := card[Length(card)];
end;

begin
  seat := 0;
  while not Eof do
  begin
    ReadLn(line);
    words := line.Split(' ');
    case words[0] of
      'hello', 'end': Say(words[0]);
      'game': seat := StrToInt(words[5]);
      'hand': for i := 0 to 12 do hand[i] := words[2 + i];
      'pass': Say('0 1 2');
      'received': for i := 0 to 2 do hand[StrToInt(words[1 + 2 * i])] := words[2 + 2 * i];
      'play':
        begin
          led := '';
          if Length(words) > 3 then led := words[3];
          chosen := -1;
          for i := 0 to 12 do
            if (hand[i] <> '') and (chosen < 0) then
            begin
              if led <> '' then may := SuitOf(hand[i]) = SuitOf(led)
              else if words[1] = '0' then may := hand[i] = '2C'
              else may := SuitOf(hand[i]) <> 'H';
              if may then chosen := i;
            end;
          for i := 12 downto 0 do
            if (hand[i] <> '') and ((chosen < 0) or (hand[chosen] = '')) then chosen := i;
          Say(IntToStr(chosen));
        end;
      'trick': for i := 0 to 12 do if hand[i] = words[1 + seat] then hand[i] := '';
    end;
  end;
end.
