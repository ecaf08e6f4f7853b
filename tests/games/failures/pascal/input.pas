program shark;
var number: integer;
begin
  readln(number);
  writeln(number);
end.
