{$mode objfpc}
program shark;
uses SysUtils;
begin
  writeln(StrToInt('ten'));
end.
