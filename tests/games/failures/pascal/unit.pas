program shark;
uses Crt2, SysUtils;
begin
  writeln('c2');
end.
