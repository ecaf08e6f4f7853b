{ A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.

      fpc random.pas && ./random HOST PORT [TOKEN]

  HOST is an address such as 10.2.88.1, or a name in /etc/hosts. Your own file gives Run three routines; random.pas shows
  how. }
unit barracuda;

{$mode objfpc}{$H+}

interface

const
  OfferChallenge = 0; { what ChooseCard returns instead of a card to offer a challenge }
  Wait = 5000; { milliseconds between two attempts to connect; the server refuses earlier attempts }
  Nobody = -1;

type
  { The game as you may see it. }
  TState = record
    Hand: array of Integer; { your cards, 1 to 13, from high to low }
    Card: Integer; { the card on the table; 0 when there is none }
    HandId: Integer; { 1 for the first hand of a game }
    GameId: Integer; { unique to this game }
    YourTricks, TheirTricks: Integer; { taken in this hand }
    CanChallenge: Boolean; { whether you may offer a challenge now }
    InChallenge: Boolean; { whether one was accepted: this hand decides the game }
    TotalTricks: Integer; { played in this hand, ties included }
    YourPoints, TheirPoints: Integer; { in this game; ten win it }
    OpponentId: Integer; { the number of the other team }
    PlayerNumber: Integer; { 0 if you led the game, else 1 }
    Remaining: Double; { seconds left on your clock for this whole game }
  end;

  { The result of a move. }
  TResult = record
    Kind: string; { 'trick_won', 'trick_tied', 'hand_done', 'game_won', 'accepted' or 'error' }
    By: Integer; { a player number, or Nobody }
    Card: Integer; { of 'trick_won': the last card played }
    Reason: string; { of 'error' }
    Me: Integer; { your own player number }
  end;

  { A card of the hand, or OfferChallenge where CanChallenge holds. }
  TChooseCard = function(const State: TState): Integer;
  { True to accept the challenge, false to reject it. }
  TAnswerChallenge = function(const State: TState): Boolean;
  THearResult = procedure(const Outcome: TResult);

{ Play until the server refuses us. Never returns. HearResult may be nil. }
procedure Run(ChooseCard: TChooseCard; AnswerChallenge: TAnswerChallenge; HearResult: THearResult);

implementation

uses
  Classes, SysUtils, Sockets;

type
  ELost = class(Exception);

var
  Choose: TChooseCard;
  Accepts: TAnswerChallenge;
  Hear: THearResult;
  Server: LongInt;

{ ---- JSON: a message is read into lines such as "state.hand_id=1"; of a list, "state.hand=12 9 8" ---- }

var
  Text: string;
  At: Integer;
  Message: TStringList;

function Next: Char;
begin
  while (At <= Length(Text)) and (Text[At] <= ' ') do
    Inc(At);
  if At > Length(Text) then
    raise ELost.Create('it sent something that is not JSON');
  Next := Text[At];
end;

function Quoted: string;
var
  Found: string;
begin
  Found := '';
  Inc(At);
  while Text[At] <> '"' do
  begin
    if Text[At] = '\' then
    begin
      Inc(At);
      case Text[At] of
        'n': Found := Found + #10;
        't': Found := Found + #9;
        'u':
          begin
            Found := Found + Char(StrToInt('$' + Copy(Text, At + 1, 4)) and 255);
            Inc(At, 4);
          end;
      else
        Found := Found + Text[At];
      end;
    end
    else
      Found := Found + Text[At];
    Inc(At);
  end;
  Inc(At);
  Quoted := Found;
end;

procedure ReadValue(const Path: string);

  procedure Keep(const Found: string);
  begin
    Message.Values[Path] := Trim(Message.Values[Path] + ' ' + Found);
  end;

var
  Start: Integer;
  Key: string;
begin
  case Next of
    '{', '[':
      repeat
        Inc(At);
        case Next of
          '"':
            begin
              Start := At;
              Key := Quoted;
              if Next = ':' then
              begin
                Inc(At);
                ReadValue(Path + '.' + Key);
              end
              else
              begin
                At := Start; { an element of a list }
                ReadValue(Path);
              end;
            end;
          '}', ']': ;
        else
          ReadValue(Path);
        end;
      until Next <> ',';
    '"':
      begin
        Keep(Quoted);
        Exit;
      end;
  else
    Start := At;
    while not (Text[At] in [',', '}', ']', #0..' ']) do
      Inc(At);
    Keep(Copy(Text, Start, At - Start));
    Exit;
  end;
  Inc(At); { the closing bracket }
end;

function Words(const Path: string): string;
begin
  Words := Message.Values['.' + Path];
end;

function Whole(const Path: string; Missing: Integer): Integer;
begin
  Whole := StrToIntDef(Words(Path), Missing);
end;

{ ---- the connection ---- }

{ The address of HOST as text: itself, or that of a name in /etc/hosts. }
function AddressOf(const Host: string): string;
var
  Lines, Fields: TStringList;
  I: Integer;
begin
  AddressOf := Host;
  if not FileExists('/etc/hosts') then
    Exit;
  Lines := TStringList.Create;
  Fields := TStringList.Create;
  try
    Lines.LoadFromFile('/etc/hosts');
    for I := Lines.Count - 1 downto 0 do
    begin
      Fields.DelimitedText := Lines[I]; { at every space }
      if (Fields.IndexOf(Host) > 0) and (Pos('.', Fields[0]) > 0) then
        AddressOf := Fields[0];
    end;
  finally
    Fields.Free;
    Lines.Free;
  end;
end;

procedure Connect(const Host: string; Port: Word);
var
  Address: TInetSockAddr;
  NoDelay: LongInt = 1;
begin
  Server := fpSocket(AF_INET, SOCK_STREAM, 0);
  Address := Default(TInetSockAddr);
  Address.sin_family := AF_INET;
  Address.sin_port := HToNS(Port);
  Address.sin_addr := StrToNetAddr(AddressOf(Host));
  if fpConnect(Server, @Address, SizeOf(Address)) <> 0 then
    raise ELost.Create(SysErrorMessage(SocketError));
  fpSetSockOpt(Server, IPPROTO_TCP, 1 { TCP_NODELAY }, @NoDelay, SizeOf(NoDelay));
end;

procedure Deliver(const Body: string);
var
  Data: string;
begin
  Data := Chr(Length(Body) shr 24) + Chr(Length(Body) shr 16 and 255) + Chr(Length(Body) shr 8 and 255)
    + Chr(Length(Body) and 255) + Body;
  if fpSend(Server, @Data[1], Length(Data), $4000 { MSG_NOSIGNAL }) <> Length(Data) then
    raise ELost.Create('the server has closed it');
end;

function Take(Size: Integer): string;
var
  Data: string;
  Have, Count: Integer;
begin
  SetLength(Data, Size);
  Have := 0;
  while Have < Size do
  begin
    Count := fpRecv(Server, @Data[Have + 1], Size - Have, 0);
    if Count <= 0 then
      raise ELost.Create('the server has closed it');
    Inc(Have, Count);
  end;
  Take := Data;
end;

procedure Receive;
var
  Head: string;
begin
  Head := Take(4);
  Text := Take(Ord(Head[1]) shl 24 + Ord(Head[2]) shl 16 + Ord(Head[3]) shl 8 + Ord(Head[4]));
  At := 1;
  Message.Clear;
  ReadValue('');
end;

{ ---- the game ---- }

procedure Say(const Line: string);
begin
  WriteLn(StdErr, Line);
  Flush(StdErr);
end;

function StateOfMessage: TState;
var
  Hand: TStringList;
  I: Integer;
begin
  Hand := TStringList.Create;
  Hand.DelimitedText := Words('state.hand');
  Result := Default(TState);
  SetLength(Result.Hand, Hand.Count);
  for I := 0 to Hand.Count - 1 do
    Result.Hand[I] := StrToInt(Hand[I]);
  Hand.Free;
  Result.Card := Whole('state.card', 0);
  Result.HandId := Whole('state.hand_id', 0);
  Result.GameId := Whole('state.game_id', 0);
  Result.YourTricks := Whole('state.your_tricks', 0);
  Result.TheirTricks := Whole('state.their_tricks', 0);
  Result.CanChallenge := Words('state.can_challenge') = 'true';
  Result.InChallenge := Words('state.in_challenge') = 'true';
  Result.TotalTricks := Whole('state.total_tricks', 0);
  Result.YourPoints := Whole('state.your_points', 0);
  Result.TheirPoints := Whole('state.their_points', 0);
  Result.OpponentId := Whole('state.opponent_id', 0);
  Result.PlayerNumber := Whole('state.player_number', 0);
  Val(Words('remaining'), Result.Remaining, I);
end;

function Response: string;
var
  State: TState;
  Card: Integer;
begin
  State := StateOfMessage;
  if Words('request') = 'challenge_offered' then
  begin
    if Accepts(State) then
      Exit('"accept_challenge"');
    Exit('"reject_challenge"');
  end;
  Card := Choose(State);
  if Card = OfferChallenge then
    Exit('"offer_challenge"');
  Response := '"play_card","card":' + IntToStr(Card);
end;

procedure Tell;
var
  Outcome: TResult;
begin
  Outcome.Kind := Words('result.type');
  Outcome.By := Whole('result.by', Nobody);
  Outcome.Card := Whole('result.card', 0);
  Outcome.Reason := Words('result.reason');
  Outcome.Me := Whole('your_player_num', 0);
  Hear(Outcome);
end;

procedure Handle;
begin
  case Words('type') of
    'request':
      Deliver('{"type":"move","request_id":' + Words('request_id') + ',"response":{"type":' + Response + '}}');
    'result':
      if Hear <> nil then
        Tell;
    'greetings_program':
      Say('connected, we are team ' + Words('team_id'));
    'error':
      begin
        Say('the server refuses us: ' + Words('message') + ' (it sees us at ' + Words('seen_host') + ')');
        Halt(1);
      end;
  end;
end;

procedure Run(ChooseCard: TChooseCard; AnswerChallenge: TAnswerChallenge; HearResult: THearResult);
begin
  if ParamCount < 2 then
  begin
    Say('usage: ' + ParamStr(0) + ' HOST PORT [TOKEN]');
    Halt(1);
  end;
  Choose := ChooseCard;
  Accepts := AnswerChallenge;
  Hear := HearResult;
  Message := TStringList.Create;
  repeat
    try
      Connect(ParamStr(1), StrToInt(ParamStr(2)));
      if ParamCount > 2 then
        Deliver('{"type":"login","token":"' + ParamStr(3) + '"}');
      repeat
        Receive;
        Handle;
      until False;
    except
      on Trouble: ELost do
      begin
        CloseSocket(Server);
        Sleep(Wait); { at home, the end of a match ends us here }
        Say('no connection: ' + Trouble.Message + '; trying again');
      end;
    end;
  until False;
end;

end.
