{ Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played. }
program Plain;

var
  numbers: array[0 .. 63] of Integer;
  count, i, held, laid, chosen: Integer;
  calves, may: Boolean;
begin
  count := 0;
  while (count < 64) and not SeekEof do
  begin
    Read(numbers[count]);
    Inc(count);
  end;
  case numbers[0] of
    0: WriteLn('Plain Pascal');
    1: WriteLn(numbers[1], ' ', numbers[2], ' ', numbers[3]);
    2:
      begin
        held := numbers[1];
        laid := numbers[2];
        calves := False;
        for i := 4 + held + laid to 3 + held + laid + 4 * (10 - held) do
          calves := calves or (numbers[i] div 10 = 3);
        chosen := numbers[4];
        for i := 3 + held downto 4 do
        begin
          if laid > 0 then may := numbers[i] div 10 = numbers[4 + held] div 10
          else may := calves or (numbers[i] div 10 <> 3);
          if may then chosen := numbers[i];
        end;
        WriteLn(chosen);
      end;
  end;
end.
