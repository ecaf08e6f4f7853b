{ mactech98.pas - the routines of the Programmer's Challenge "Hearts" (MacTech, October 1998) in Pascal, and the part that speaks
  with the referee. Do not change it: the contest builds your player with its own copy.

  You write six routines with the parameters of the types below (shell.pas describes them):

      InitTournament   InitGame   SelectPass   PlayTrick   TrickResults   HandResults

  The last line of your program hands them to PlayHearts, which talks to the referee, calls your routines, and measures the
  processor time that they use. One point is added to your score for each millisecond.

  Two things to remember:
    - Write nothing to standard output: it belongs to the referee. Debug with WriteLn(StdErr, ...); only your team
      can read that afterwards.
    - What you get is a copy. }
unit mactech98;

{$mode objfpc}{$H-}
{$packenum 4}

interface

type
  UInt16 = Word;
  SInt16 = SmallInt;
  UInt32 = LongWord;
  SInt32 = LongInt;

  Suit = (kNoSuit, kSpade, kHeart, kDiamond, kClub);
  Spot = (kNoSpot, k2, k3, k4, k5, k6, k7, k8, k9, k10, kJack, kQueen, kKing, kAce);
  Pass = (kPassLeft, kPassRight, kPassAcross, kNoPass);

  Card = record
    suit: Suit;
    spot: Spot;
  end;

  { The arrays of the prototypes. Those of four are indexed by seat. }
  Cards13 = array[0 .. 12] of Card;
  Cards4 = array[0 .. 3] of Card;
  Indices3 = array[0 .. 2] of UInt16;
  PlayerIDs = array[0 .. 3] of UInt32;
  HandPoints = array[0 .. 3] of SInt16;
  CumPoints = array[0 .. 3] of SInt32;

  InitTournamentRoutine = procedure(
    numPlayers: UInt16;                { number of players in the tournament }
    gameEndingScore: UInt16);          { game is over when one player reaches this score }

  InitGameRoutine = procedure(
    const playerID: PlayerIDs;         { identifier for players in this game }
    yourSeat: UInt16);                 { your seat at the table, 0..3 }

  SelectPassRoutine = procedure(
    const dealtHand: Cards13;          { cards you are dealt }
    passDirection: Pass;               { rotates kPassLeft, kPassRight, kPassAcross, kNoPass }
    var passedCards: Indices3);        { index in dealtHand of cards you choose to pass }

  PlayTrickRoutine = procedure(
    trickNumber: UInt16;               { 13 tricks per hand, 0..12 }
    trickLeader: UInt16;               { which player leads this trick }
    const yourHand: Cards13;           { your cards at the beginning of this trick }
    const cardsPlayed: Cards4;         { cards already played this trick: from [trickLeader] to [yourSeat-1 (mod 4)] }
    var yourPlay: UInt16);             { index into yourHand of the card you choose to play }

  TrickResultsRoutine = procedure(
    const lastTrick: Cards4;           { cards played on previous trick }
    trickWinner: UInt16);              { which player won this trick }

  HandResultsRoutine = procedure(
    const pointsThisHand: HandPoints;  { points earned by each player this hand, -26 .. 25 }
    const totals: CumPoints);          { cumulative points earned by each player this game }

const
  NoCard: Card = (suit: kNoSuit; spot: kNoSpot);

{ Whether a card costs points: a heart, or the queen of spades. }
function IsPoint(const c: Card): Boolean;

{ Whether the rules allow the card at that index of the hand now. led: the card that was led, NoCard when you lead;
  pointsPlayed: whether a point card was played on an earlier trick of this hand. }
function IsLegal(const hand: Cards13; index, trickNumber: Integer; const led: Card; pointsPlayed: Boolean): Boolean;

{ Play until there is nothing more to read. }
procedure PlayHearts(initTournament: InitTournamentRoutine; initGame: InitGameRoutine; selectPass: SelectPassRoutine;
  playTrick: PlayTrickRoutine; trickResults: TrickResultsRoutine; handResults: HandResultsRoutine);

implementation

uses
  BaseUnix, Linux;

var
  own: record
    InitTournament: InitTournamentRoutine;
    InitGame: InitGameRoutine;
    SelectPass: SelectPassRoutine;
    PlayTrick: PlayTrickRoutine;
    TrickResults: TrickResultsRoutine;
    HandResults: HandResultsRoutine;
  end;
  seat: Integer;
  dealt: Cards13;                      { as it was dealt: what SelectPass is asked about }
  hand: Cards13;                       { as it is now, with gaps }
  direction: Pass;

function IsPoint(const c: Card): Boolean;
begin
  IsPoint := (c.suit = kHeart) or ((c.suit = kSpade) and (c.spot = kQueen));
end;

function IsLegal(const hand: Cards13; index, trickNumber: Integer; const led: Card; pointsPlayed: Boolean): Boolean;
var
  i: Integer;
  follows, others: Boolean;
begin
  if hand[index].suit = kNoSuit then Exit(False);    { played already }
  follows := False;
  others := False;
  for i := 0 to 12 do
    if hand[i].suit <> kNoSuit then
    begin
      follows := follows or (hand[i].suit = led.suit);
      others := others or not IsPoint(hand[i]);
    end;
  if led.suit <> kNoSuit then Exit((hand[index].suit = led.suit) or not follows);
  if trickNumber = 0 then Exit((hand[index].suit = kClub) and (hand[index].spot = k2));
  IsLegal := (hand[index].suit <> kHeart) or pointsPlayed or not others;
end;

{ --- the clock --------------------------------------------------------------------------------------------------------- }

var
  used: Int64 = 0;                     { nanoseconds of your routines since our last answer }

function Now: Int64;
var
  time: TTimeSpec;
begin
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, @time);
  Now := Int64(time.tv_sec) * 1000000000 + time.tv_nsec;
end;

{ --- lines ------------------------------------------------------------------------------------------------------------- }

var
  input: array[0 .. 4095] of Char;
  inputEnd: Integer = 0;
  inputNext: Integer = 0;
  line: ShortString;                   { the longest line of the protocol has some 60 characters }
  place: Integer;                      { in the line }

function ReadLine: Boolean;
var
  c: Char;
begin
  line := '';
  place := 1;
  repeat
    if inputNext = inputEnd then
    begin
      inputNext := 0;
      inputEnd := fpRead(0, input, SizeOf(input));
      if inputEnd <= 0 then
      begin
        inputEnd := 0;
        Exit(False);
      end;
    end;
    c := input[inputNext];
    Inc(inputNext);
    if (c <> #10) and (Length(line) < 255) then line := line + c;
  until c = #10;
  ReadLine := True;
end;

{ The next word of the line; empty at its end. }
function ReadWord: ShortString;
var
  first: Integer;
begin
  while (place <= Length(line)) and (line[place] <= ' ') do Inc(place);
  first := place;
  while (place <= Length(line)) and (line[place] > ' ') do Inc(place);
  ReadWord := Copy(line, first, place - first);
end;

function ReadNumber: Int64;
var
  error: Word;
begin
  Val(ReadWord, ReadNumber, error);
  if error <> 0 then ReadNumber := 0;
end;

{ A card as the referee writes it, such as QS or 10H. }
function ReadCard: Card;
var
  word: ShortString;
  face: Char;
begin
  ReadCard := NoCard;
  word := ReadWord;
  if Length(word) < 2 then Exit;
  if Length(word) = 3 then face := 'T' else face := word[1];
  ReadCard.suit := Suit(Pos(word[Length(word)], 'SHDC'));
  ReadCard.spot := Spot(Pos(face, '23456789TJQKA'));
end;

{ Send what is to be said, and with it the time that was used. }
procedure Answer(text: ShortString);
var
  time: ShortString;
  sent: Integer;
begin
  if used < 0 then used := 0;
  Str(used, time);
  text := text + ' cpu ' + time + #10;
  while text <> '' do
  begin
    sent := fpWrite(1, text[1], Length(text));
    if sent < 0 then Halt(0);          { nobody listens any more }
    Delete(text, 1, sent);
  end;
  used := 0;
end;

{ --- your routines ----------------------------------------------------------------------------------------------------- }

procedure OnTournament;
var
  players, target: UInt16;
  started: Int64;
begin
  players := ReadNumber;
  target := ReadNumber;
  started := Now;
  own.InitTournament(players, target);
  used := used + Now - started;
end;

procedure OnGame;
var
  ids: PlayerIDs;
  i: Integer;
  started: Int64;
begin
  for i := 0 to 3 do ids[i] := ReadNumber;
  seat := ReadNumber and 3;
  started := Now;
  own.InitGame(ids, seat);
  used := used + Now - started;
end;

procedure CallSelectPass(out passed: Indices3);
var
  shown: Cards13;
  started: Int64;
begin
  passed[0] := 0;
  passed[1] := 0;
  passed[2] := 0;
  shown := dealt;
  started := Now;
  own.SelectPass(shown, direction, passed);
  used := used + Now - started;
end;

procedure OnHand;
var
  word: ShortString;
  i: Integer;
  ignored: Indices3;
begin
  word := ReadWord;
  case word of
    'left': direction := kPassLeft;
    'right': direction := kPassRight;
    'across': direction := kPassAcross;
  else
    direction := kNoPass;
  end;
  for i := 0 to 12 do dealt[i] := ReadCard;
  hand := dealt;
  if direction = kNoPass then CallSelectPass(ignored);
end;

procedure OnPass;
var
  passed: Indices3;
  first, second, third: ShortString;
begin
  CallSelectPass(passed);
  Str(passed[0], first);
  Str(passed[1], second);
  Str(passed[2], third);
  Answer(first + ' ' + second + ' ' + third);
end;

procedure OnReceived;
var
  i: Integer;
  index: Int64;
  c: Card;
begin
  for i := 0 to 2 do
  begin
    index := ReadNumber;
    c := ReadCard;
    if (index >= 0) and (index <= 12) then hand[index] := c;
  end;
end;

procedure OnPlay;
var
  shown: Cards13;
  played: Cards4;
  trick, leader, choice: UInt16;
  i: Integer;
  started: Int64;
  word: ShortString;
begin
  trick := ReadNumber;
  leader := ReadNumber and 3;
  for i := 0 to 3 do played[(leader + i) and 3] := ReadCard;    { those that are missing are no cards }
  shown := hand;
  choice := 0;
  started := Now;
  own.PlayTrick(trick, leader, shown, played, choice);
  used := used + Now - started;
  Str(choice, word);
  Answer(word);
end;

procedure OnTrick;
var
  cards: Cards4;
  winner: UInt16;
  i: Integer;
  started: Int64;
begin
  for i := 0 to 3 do cards[i] := ReadCard;
  winner := ReadNumber;
  for i := 0 to 12 do
    if (hand[i].suit = cards[seat].suit) and (hand[i].spot = cards[seat].spot) then hand[i] := NoCard;
  started := Now;
  own.TrickResults(cards, winner);
  used := used + Now - started;
end;

procedure OnScore;
var
  points: HandPoints;
  totals: CumPoints;
  i: Integer;
  started: Int64;
begin
  for i := 0 to 3 do points[i] := ReadNumber;
  for i := 0 to 3 do totals[i] := ReadNumber;
  started := Now;
  own.HandResults(points, totals);
  used := used + Now - started;
end;

procedure PlayHearts(initTournament: InitTournamentRoutine; initGame: InitGameRoutine; selectPass: SelectPassRoutine;
  playTrick: PlayTrickRoutine; trickResults: TrickResultsRoutine; handResults: HandResultsRoutine);
var
  word: ShortString;
begin
  own.InitTournament := initTournament;
  own.InitGame := initGame;
  own.SelectPass := selectPass;
  own.PlayTrick := playTrick;
  own.TrickResults := trickResults;
  own.HandResults := handResults;
  while ReadLine do
  begin
    word := ReadWord;
    case word of
      'hello': Answer('ready');
      'tournament': OnTournament;
      'game': OnGame;
      'hand': OnHand;
      'pass': OnPass;
      'received': OnReceived;
      'play': OnPlay;
      'trick': OnTrick;
      'score': OnScore;
      'end': Answer('done');
    end;
  end;
end;

end.
