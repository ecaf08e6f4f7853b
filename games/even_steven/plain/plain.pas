{ Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first. }
program Plain;

{$mode objfpc}{$H+}

uses
  Classes, SysUtils;

function ValueOf(const card: string): Integer;
begin
  if Length(card) = 3 then Result := Pos('T', '23456789TJQKA') else Result := Pos(card[1], '23456789TJQKA');
end;

var
  hand, words: TStringList;
  line: string;
  chosen, i: Integer;
begin
  hand := TStringList.Create;
  words := TStringList.Create;
  words.Delimiter := ' ';
  while not Eof do
  begin
    ReadLn(line);
    words.DelimitedText := line;
    if (words.Count = 0) or (words[0] = 'YOU') then Continue;
    if StrToIntDef(words[0], 0) > 0 then
    begin
      words.Delete(0);
      hand.Assign(words);
      Continue;
    end;
    chosen := 0;
    for i := hand.Count - 1 downto 0 do
      if ValueOf(hand[i]) >= ValueOf(words[0]) then chosen := i;
    WriteLn(hand[chosen]);
    Flush(Output);
    hand.Delete(chosen);
  end;
end.
