program shark;
var count: integer;
begin
  count := 3;
  writeln(cuont);
end.
