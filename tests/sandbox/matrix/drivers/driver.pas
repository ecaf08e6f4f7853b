{ Makes the system calls that it is told on standard input. }
program driver;
{$mode objfpc}{$H+}
uses BaseUnix, SysCall, SysUtils;

type TWords = array[0..8] of string;

var
  memory: array[0..65535] of byte;
  results: array[0..4095] of int64;
  calls, times, i: integer;
  line: string;
  words: TWords;
  a: array[0..6] of int64;
  result: int64;
  buffer: array[0..131071] of char;

function Number(const word: string): int64;
begin
  Number := StrToInt64Def(word, 0)
end;

function Value(const word: string): int64;
var plus: integer;
begin
  if word = '' then exit(0);
  case word[1] of
    'm': Value := int64(PtrUInt(@memory[0])) + Number(Copy(word, 2, 99));
    'r': begin
      plus := Pos('+', word);
      if plus = 0 then Value := results[Number(Copy(word, 2, 99))]
      else begin
        Value := results[Number(Copy(word, 2, plus - 2))];
        if Value >= 0 then Value := Value + Number(Copy(word, plus + 1, 99))
      end
    end
  else
    Value := Number(word)
  end
end;

procedure Split;
var count, at: integer; c: char;
begin
  for at := 0 to 8 do words[at] := '';
  count := 0;
  for c in line do
    if c = ' ' then inc(count)
    else if count <= 8 then words[count] := words[count] + c
end;

procedure Store(at, wanted: int64);
begin
  Move(wanted, memory[at], 8)
end;

procedure Dump(at, size: int64);
begin
  write('d ');
  for at := at to at + size - 1 do write(LowerCase(HexStr(memory[at], 2)));
  writeln
end;

procedure Burn(ms: int64);
var ends: qword;
begin
  ends := GetTickCount64 + qword(ms);
  while GetTickCount64 < ends do
end;

begin
  SetTextBuf(input, buffer);
  calls := 0;
  times := 1;
  while not eof do begin
    readln(line);
    Split;
    if (words[0] = '') or (words[0] = 'e') then break;
    case words[0][1] of
      'w': for i := 0 to Length(words[2]) div 2 - 1 do
             memory[Number(words[1]) + i] := StrToInt('$' + Copy(words[2], 2 * i + 1, 2));
      'p': Store(Number(words[1]), int64(PtrUInt(@memory[0])) + Number(words[2]));
      'q': Store(Number(words[1]), results[Number(words[2])]);
      'n': times := Number(words[1]);
      'c': begin
        for i := 0 to 6 do a[i] := Value(words[i + 1]);
        for i := 1 to times do
          result := Do_SysCall(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
        if result = -1 then result := -fpGetErrno;
        times := 1;
        inc(calls);
        results[calls] := result;
        writeln('c ', calls, ' ', result)
      end;
      'i': writeln('u no machine code');
      'd': Dump(Number(words[1]), Number(words[2]));
      'b': Burn(Number(words[1]));
      'h': begin writeln('held'); flush(output); readln(line) end
    end;
    flush(output)
  end;
  writeln('end')
end.
