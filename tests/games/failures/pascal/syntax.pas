program shark;
begin
  writeln('c2')
  writeln('c3');
end.
