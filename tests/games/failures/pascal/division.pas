program shark;
var cards: integer;
begin
  cards := ParamCount;
  writeln(13 div cards);
end.
