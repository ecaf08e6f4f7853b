program mybot; { What an honest bot uses of its library. }
{$mode objfpc}{$H+}
uses SysUtils, Classes, DateUtils, Math, StrUtils;
var
  line: string;
  words: TStringList;
  start: TDateTime;
  cards: array[0..51] of integer;
  i: integer;
begin
  Randomize;
  start := Now;
  words := TStringList.Create;
  words.Sorted := True;
  words.Duplicates := dupIgnore;
  for i := 0 to 51 do cards[i] := Random(52);
  while not Eof do
  begin
    ReadLn(line);
    words.Add(UpperCase(Trim(LeftStr(line, 20))));
  end;
  try
    StrToInt('no number');
  except
    on error: EConvertError do WriteLn(StdErr, error.Message);
  end;
  if (MilliSecondsBetween(Now, start) > 60000) or (Max(cards[0], cards[1]) < 0) or (YearOf(Date) < 2000) then Halt(2);
  Sleep(1);
  if FileExists('weights.bin') or (GetEnvironmentVariable('PATH') = 'x') or (GetTickCount64 = 0) then Halt(3);
  words.Free;
  WriteLn(Format('%s', ['ok']));
end.
