{ Works hard: much input, garbage, exceptions, the time, much output. }
program mybot;
{$mode objfpc}{$H+}
uses Classes, SysUtils;
var
  size, caught: int64;
  i: integer;
  line: string;
  garbage: TStringList;
begin
  size := 0;
  caught := 0;
  while not eof do begin
    readln(line);
    inc(size, Length(line) + 1)
  end;
  for i := 1 to 1000 do begin
    garbage := TStringList.Create;
    try
      garbage.Add(StringOfChar('x', 500));
      try
        StrToInt('x')
      except
        on EConvertError do inc(caught)
      end
    finally
      garbage.Free
    end
  end;
  writeln(StdErr, DateTimeToStr(Now));
  for i := 1 to 3000 do writeln(i: 63);
  writeln('ok ', size);
  if caught <> 1000 then halt(2)
end.
