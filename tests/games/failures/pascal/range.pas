{$R+}
program shark;
var hand: array[1..13] of integer;
    i: integer;
begin
  i := 13 + ParamCount;
  i := i + 1;
  hand[i] := 1;
end.
