{ Speaks the protocol of Barracuda without a kit: plays its highest card, and rejects every challenge. }
program Plain;

{$mode objfpc}{$H+}

uses
  SysUtils, Sockets;

var
  Server: LongInt;
  Place: TInetSockAddr;
  Head, Message, Answer: string;

function Take(Size: Integer): string;
var
  Have, Count: Integer;
begin
  SetLength(Result, Size);
  Have := 0;
  while Have < Size do
  begin
    Count := fpRecv(Server, @Result[Have + 1], Size - Have, 0);
    if Count <= 0 then
      Halt;
    Inc(Have, Count);
  end;
end;

function NumberAfter(const Key: string): string;
var
  At: Integer;
begin
  Result := '';
  At := Pos(Key, Message) + Length(Key);
  while Message[At] in ['0'..'9'] do
  begin
    Result := Result + Message[At];
    Inc(At);
  end;
end;

begin
  Server := fpSocket(AF_INET, SOCK_STREAM, 0);
  Place.sin_family := AF_INET;
  Place.sin_addr := StrToNetAddr(ParamStr(1));
  Place.sin_port := HToNS(StrToInt(ParamStr(2)));
  if fpConnect(Server, @Place, SizeOf(Place)) <> 0 then
    Halt(1);
  repeat
    Head := Take(4);
    Message := Take(Ord(Head[3]) * 256 + Ord(Head[4]));
    if Pos('"type":"request"', Message) = 0 then
      Continue;
    Answer := '{"type":"reject_challenge"}';
    if Pos('"request_card"', Message) > 0 then
      Answer := '{"type":"play_card","card":' + NumberAfter('"hand":[') + '}';
    Answer := '{"type":"move","request_id":' + NumberAfter('"request_id":') + ',"response":' + Answer + '}';
    Answer := #0#0#0 + Chr(Length(Answer)) + Answer;
    fpSend(Server, @Answer[1], Length(Answer), 0);
  until False;
end.
