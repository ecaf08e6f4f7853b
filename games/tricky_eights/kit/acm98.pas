{ acm98.pas - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the
  contest builds your player with its own copy.

  You write six routines (shell.pas describes them):

      StartGame   StartRound   TakeCard   EndTakes   PlayCard   EndRound

  The last line of your program hands them to PlayTrickyEights, which reads what the server says, keeps the record GAME up to
  date, calls your routines and sends the cards they return.

  Two things to remember:
    - Write nothing to standard output: it belongs to the server. Debug with WriteLn(StdErr, ...); only your team
      can read that afterwards.
    - GAME is for reading only. What you write into it is gone before your next routine is called: the unit keeps its own
      copy, and the server believes no one. }
unit acm98;

{$mode objfpc}{$H-}
{$warn SYMBOL_DEPRECATED off}    { fpGetEnv, see there }

interface

{ ----------------------------------------------------------------------------------------------------------------------
  Players, suits, faces, cards
  ---------------------------------------------------------------------------------------------------------------------- }

const
  { Players sit clockwise in this order. The player after p is (p + 1) mod 4. }
  North = 0; East = 1; South = 2; West = 3;
  Nobody = -1;                       { used where there is no player }

  Clubs = 0; Diamonds = 1; Hearts = 2; Spades = 3;

  { Faces are 2 .. 14. The cards between are simply 2 .. 10. }
  Jack = 11; Queen = 12; King = 13; Ace = 14;

  NoCard = -1;

type
  { A card is a number 0 .. 51, so that it can be the index of an array: first the clubs from 2 to ace (0 .. 12), then the
    diamonds, the hearts and the spades. Suit, Face and MakeCard take it apart and put it together. }
  Card = -1 .. 51;

  { Where a card is, as far as you can know: GAME.Where[card]. }
  Place = (
    Hidden,   { dealt to one of the other players, you do not know to whom }
    InPool,   { face up in the pool, may still be taken }
    Held,     { in the hand of player GAME.Owner[card]: yours, or taken from the pool where everybody saw it }
    OnTable,  { on the table, in the current trick }
    Played    { went with an earlier trick }
  );

  CardList = array[0 .. 12] of Card;

  { One trick, finished or not. }
  Trick = record
    Leader: Integer;                    { who played the first card }
    Count: Integer;                     { how many cards it has, 0 .. 4 }
    Cards: array[0 .. 3] of Card;       { Cards[p]: what player p played, or NoCard. The index is the player, not the order. }
    Winner: Integer;                    { who wins it as it stands (Nobody while it is empty) }
    Points: Integer;                    { what it is worth as it stands: 1 (first and last trick 3), 2 for each eight }
  end;

  GameRecord = record
    { The game }
    Me: Integer;                        { which player you are: North .. West }
    Round: Integer;                     { number of the round, from 1 }
    Dealer: Integer;                    { dealer of this round: takes first, and leads the first trick }
    Total: array[0 .. 3] of Integer;    { points of all finished rounds. In EndRound this round is already in it. }
    Points: array[0 .. 3] of Integer;   { points made in this round so far }

    { Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it. }
    HandCount: Integer;                 { 10 .. 13 during the takes, then one less after every trick }
    Hand: CardList;                     { Hand[0 .. HandCount - 1] }

    { The takes }
    PoolCount: Integer;                 { how many cards are left in the pool: in TakeCard, those you may choose from }
    Pool: CardList;                     { Pool[0 .. PoolCount - 1] }
    Taken: array[0 .. 3] of Integer;    { how many cards player p took so far, 0 .. 3 }
    Take: array[0 .. 3, 0 .. 2] of Card;  { Take[p, 0 .. Taken[p] - 1]: what player p took, in that order }

    { The play }
    TrickNumber: Integer;               { number of the current trick 1 .. 13; 0 during the takes, 14 in EndRound }
    Current: Trick;                     { the current trick: in PlayCard the cards that were played before you }
    Past: array[0 .. 12] of Trick;      { Past[0 .. TrickNumber - 2]: the finished tricks of this round }

    { What you know of every card and every player: a card counter's table, kept for you }
    Where: array[0 .. 51] of Place;
    Owner: array[0 .. 51] of Integer;   { who holds, played or took that card; Nobody for a card that is Hidden or InPool }
    CardsLeft: array[0 .. 3] of Integer;            { how many cards player p holds }
    IsOut: array[0 .. 3, 0 .. 3] of Boolean;        { IsOut[p, suit]: p has no card of that suit left, as it did not follow }
  end;

  Procedure6 = procedure;
  Function6 = function: Card;

var
  GAME: GameRecord;

{ ----------------------------------------------------------------------------------------------------------------------
  Helper routines. None of them changes anything.
  ---------------------------------------------------------------------------------------------------------------------- }

function Suit(c: Card): Integer;                      { Clubs .. Spades }
function Face(c: Card): Integer;                      { 2 .. Ace }
function MakeCard(s, f: Integer): Card;               { MakeCard(Hearts, 8) is the eight of hearts }

{ Fills list with the cards you may play now and returns how many they are: those of the suit led, if you have any, else
  your whole hand. During the takes: the cards you may take. }
function LegalCards(out list: CardList): Integer;

{ Whether you may play (during the takes: take) this card now. }
function IsLegal(c: Card): Boolean;

{ Whether this card would be the winning one of the current trick if you played it now. }
function WouldWin(c: Card): Boolean;

{ How many cards of a suit you hold. }
function CountSuit(s: Integer): Integer;

{ How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours,
  not played and not on the table. 0: nobody can beat it any more, if its suit is led. }
function CountHigher(c: Card): Integer;

{ Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours. }
function IsSeen(c: Card): Boolean;

{ What a trick with these cards (NoCard for an empty place) would be worth: 1, or 3 for trick numbers 1 and 13, and 2 for
  each eight. }
function TrickPoints(trickNumber: Integer; const cards: array of Card): Integer;

{ The next player clockwise. }
function NextPlayer(player: Integer): Integer;

{ A random number 0 .. n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED
  holds a number (to debug: the same number gives the same random numbers; it is not set in the contest). }
function RandomInt(n: Integer): Integer;

{ The name of a card as the server writes it, such as 'dk'. Good for WriteLn(StdErr, ...). }
function CardName(c: Card): ShortString;

{ The inverse: CardFromName('dk'). NoCard if it is not a card. }
function CardFromName(const name: ShortString): Card;

{ 'north', 'east', 'south', 'west'. }
function PlayerName(player: Integer): ShortString;

{ Plays: call this once, as the last line of your program. It returns when the server has nothing more to say. }
procedure PlayTrickyEights(startGame, startRound: Procedure6; takeCard: Function6; endTakes: Procedure6;
  playCard: Function6; endRound: Procedure6);

implementation

{$ifdef linux}
uses
  BaseUnix, Linux;
{$endif}

const
  SuitLetters = 'cdhs';
  FaceLetters = '23456789tjqka';
  PlayerLetters = 'nesw';

type
  Teller = procedure(player: Integer; c: Card);
  Contestant = record
    StartGame, StartRound: Procedure6;
    TakeCard: Function6;
    EndTakes: Procedure6;
    PlayCard: Function6;
    EndRound: Procedure6;
  end;

var
  truth: GameRecord;       { what the server told us; GAME is a copy, made again before each routine is called }
  own: Contestant;
  takesEnded: Boolean = False;   { EndTakes was called in this round }
  roundEnded: Boolean = True;    { EndRound was called for this round, or no round has begun }

{ --- the clock ------------------------------------------------------------------------------------------------------- }

type
  Routine = (rtStartGame, rtStartRound, rtTakeCard, rtEndTakes, rtPlayCard, rtEndRound);

const
  RoutineNames: array[Routine] of string[10] =
    ('StartGame', 'StartRound', 'TakeCard', 'EndTakes', 'PlayCard', 'EndRound');

var
  used: array[Routine] of Int64;   { nanoseconds of processor time since our last answer }

{ The processor time of this program; always 0 where we cannot know it. }
function Now: Int64;
{$ifdef linux}
var
  time: TTimeSpec;
begin
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, @time);
  Now := Int64(time.tv_sec) * 1000000000 + time.tv_nsec;
end;
{$else}
begin
  Now := 0;
end;
{$endif}

procedure Timed(which: Routine; call: Procedure6);
var
  started: Int64;
begin
  started := Now;
  call();
  used[which] := used[which] + Now - started;
end;

function TimedCard(which: Routine; call: Function6): Card;
var
  started: Int64;
begin
  started := Now;
  TimedCard := call();
  used[which] := used[which] + Now - started;
end;

{ --- names ----------------------------------------------------------------------------------------------------------- }

function CardFromName(const name: ShortString): Card;
var
  s, f: Integer;
begin
  CardFromName := NoCard;
  if Length(name) <> 2 then Exit;
  s := Pos(name[1], SuitLetters);
  f := Pos(name[2], FaceLetters);
  if (s > 0) and (f > 0) then CardFromName := (s - 1) * 13 + f - 1;
end;

function CardName(c: Card): ShortString;
begin
  if c = NoCard then CardName := '??'
  else CardName := SuitLetters[Suit(c) + 1] + FaceLetters[c mod 13 + 1];
end;

function PlayerName(player: Integer): ShortString;
begin
  case player of
    North: PlayerName := 'north';
    East: PlayerName := 'east';
    South: PlayerName := 'south';
    West: PlayerName := 'west';
  else
    PlayerName := 'nobody';
  end;
end;

{ --- helper routines ------------------------------------------------------------------------------------------------- }

function Suit(c: Card): Integer;
begin
  Suit := c div 13;
end;

function Face(c: Card): Integer;
begin
  Face := c mod 13 + 2;
end;

function MakeCard(s, f: Integer): Card;
begin
  MakeCard := s * 13 + f - 2;
end;

function NextPlayer(player: Integer): Integer;
begin
  NextPlayer := (player + 1) mod 4;
end;

function ChoicesIn(const state: GameRecord; out list: CardList): Integer;
var
  i, count, led: Integer;
begin
  count := 0;
  if state.TrickNumber = 0 then
  begin
    list := state.Pool;
    Exit(state.PoolCount);
  end;
  if state.Current.Count > 0 then
  begin
    led := Suit(state.Current.Cards[state.Current.Leader]);
    for i := 0 to state.HandCount - 1 do
      if Suit(state.Hand[i]) = led then
      begin
        list[count] := state.Hand[i];
        Inc(count);
      end;
    if count > 0 then Exit(count);
  end;
  list := state.Hand;
  ChoicesIn := state.HandCount;
end;

function IsChoiceIn(const state: GameRecord; c: Card): Boolean;
var
  list: CardList;
  i: Integer;
begin
  IsChoiceIn := False;
  for i := 0 to ChoicesIn(state, list) - 1 do
    if list[i] = c then Exit(True);
end;

function LegalCards(out list: CardList): Integer;
begin
  LegalCards := ChoicesIn(GAME, list);
end;

function IsLegal(c: Card): Boolean;
begin
  IsLegal := IsChoiceIn(GAME, c);
end;

function WouldWin(c: Card): Boolean;
var
  best: Card;
begin
  if GAME.Current.Winner = Nobody then Exit(True);
  best := GAME.Current.Cards[GAME.Current.Winner];
  WouldWin := (Suit(c) = Suit(best)) and (c > best);
end;

function CountSuit(s: Integer): Integer;
var
  i, count: Integer;
begin
  count := 0;
  for i := 0 to GAME.HandCount - 1 do
    if Suit(GAME.Hand[i]) = s then Inc(count);
  CountSuit := count;
end;

function CountHigher(c: Card): Integer;
var
  other, count: Integer;
begin
  count := 0;
  if c <> NoCard then
    for other := c + 1 to Suit(c) * 13 + 12 do
      if (GAME.Where[other] <> Played) and (GAME.Where[other] <> OnTable) and (GAME.Owner[other] <> GAME.Me) then Inc(count);
  CountHigher := count;
end;

function IsSeen(c: Card): Boolean;
begin
  IsSeen := (c <> NoCard) and (GAME.Where[c] <> Hidden);
end;

function TrickPoints(trickNumber: Integer; const cards: array of Card): Integer;
var
  i, points: Integer;
begin
  points := 1;
  if (trickNumber = 1) or (trickNumber = 13) then points := 3;
  for i := Low(cards) to High(cards) do
    if (cards[i] <> NoCard) and (Face(cards[i]) = 8) then points := points + 2;
  TrickPoints := points;
end;

{ --- random numbers -------------------------------------------------------------------------------------------------- }

var
  seeded: Boolean = False;

{ From the clock (to the nanosecond) and from the address of our stack: no file is read. }
procedure SeedRandom;
{$ifdef linux}
var
  now: TTimeSpec;
  given: PChar;
  code: Integer;
begin
  seeded := True;
  given := fpGetEnv('ACM98_SEED');      { deprecated, but the alternative, SysUtils, is much larger }
  if given <> nil then
  begin
    Val(ShortString(given), RandSeed, code);
    if code <> 0 then RandSeed := 0;
    Exit;
  end;
  clock_gettime(CLOCK_REALTIME, @now);
  RandSeed := LongInt(now.tv_sec xor now.tv_nsec xor LongInt((PtrUInt(@now) shr 4) and $7FFFFFFF));
end;
{$else}
begin
  seeded := True;
  Randomize;
end;
{$endif}

function RandomInt(n: Integer): Integer;
begin
  if not seeded then SeedRandom;
  RandomInt := Random(n);
end;

{ --- reading --------------------------------------------------------------------------------------------------------- }

{ The next word, or '' at the end of input. Words are separated by blanks and line ends. Lines may have any length. }
function ReadWord: ShortString;
var
  letter: Char;
  word: ShortString;
begin
  word := '';
  while not Eof do
  begin
    Read(letter);
    if letter > ' ' then
    begin
      if Length(word) < 15 then word := word + letter;   { the longest word that matters is resultoftrick }
    end
    else if word <> '' then
      Break;
  end;
  ReadWord := word;
end;

{ A word that should be a card or a player and is not. The server is never wrong, so a person is typing. }
procedure Complain(const expected, word: ShortString);
begin
  WriteLn(StdErr, 'acm98: "', word, '" is not a ', expected);
end;

function ReadCard: Card;
var
  word: ShortString;
begin
  word := ReadWord;
  if word = '' then Halt(0);
  Result := CardFromName(word);
  if Result = NoCard then Complain('card', word);
end;

function ReadPlayer: Integer;
var
  word: ShortString;
begin
  word := ReadWord;
  if word = '' then Halt(0);
  Result := Nobody;
  if Length(word) = 1 then Result := Pos(word[1], PlayerLetters) - 1;
  if Result = Nobody then Complain('player', word);
end;

{ --- keeping GAME up to date ----------------------------------------------------------------------------------------- }

procedure Remove(var list: CardList; var count: Integer; c: Card);
var
  i, kept: Integer;
begin
  kept := 0;
  for i := 0 to count - 1 do
    if list[i] <> c then
    begin
      list[kept] := list[i];
      Inc(kept);
    end;
  count := kept;
end;

procedure ClearTrick(leader: Integer);
var
  player: Integer;
begin
  truth.Current.Leader := leader;
  truth.Current.Count := 0;
  truth.Current.Winner := Nobody;
  for player := North to West do truth.Current.Cards[player] := NoCard;
  truth.Current.Points := TrickPoints(truth.TrickNumber, truth.Current.Cards);
end;

procedure BeginHand;
var
  before: GameRecord;
  i: Integer;
  c: Card;
begin
  before := truth;
  FillChar(truth, SizeOf(truth), 0);
  truth.Total := before.Total;
  truth.Round := before.Round + 1;
  truth.Dealer := (truth.Round - 1) mod 4;
  truth.Me := ReadPlayer;
  if truth.Me = Nobody then Halt(1);
  for i := 0 to 51 do truth.Owner[i] := Nobody;     { and Where[i] is Hidden }
  for i := 1 to 10 do
  begin
    c := ReadCard;
    if c = NoCard then Continue;
    truth.Hand[truth.HandCount] := c;
    Inc(truth.HandCount);
    truth.Where[c] := Held;
    truth.Owner[c] := truth.Me;
  end;
  for i := 1 to 12 do
  begin
    c := ReadCard;
    if c = NoCard then Continue;
    truth.Pool[truth.PoolCount] := c;
    Inc(truth.PoolCount);
    truth.Where[c] := InPool;
  end;
  for i := North to West do truth.CardsLeft[i] := 10;
  ClearTrick(truth.Dealer);
  takesEnded := False;
  roundEnded := False;
  GAME := truth;
  Timed(rtStartRound, own.StartRound);
end;

{ Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing. }
procedure TellTake(player: Integer; c: Card);
begin
  if (player = Nobody) or (c = NoCard) then Exit;
  if (truth.Where[c] <> InPool) or (truth.Taken[player] = 3) then Exit;
  Remove(truth.Pool, truth.PoolCount, c);
  truth.Where[c] := Held;
  truth.Owner[c] := player;
  truth.Take[player, truth.Taken[player]] := c;
  Inc(truth.Taken[player]);
  Inc(truth.CardsLeft[player]);
  if player = truth.Me then
  begin
    truth.Hand[truth.HandCount] := c;
    Inc(truth.HandCount);
  end;
end;

{ Somebody played a card to the current trick. Hearing it twice changes nothing. }
procedure TellPlay(player: Integer; c: Card);
var
  best: Card;
begin
  if (player = Nobody) or (c = NoCard) then Exit;
  if truth.Current.Cards[player] <> NoCard then Exit;
  if truth.Current.Count = 0 then truth.Current.Leader := player;
  truth.Current.Cards[player] := c;
  Inc(truth.Current.Count);
  truth.Current.Points := TrickPoints(truth.TrickNumber, truth.Current.Cards);
  if truth.Current.Winner = Nobody then
    truth.Current.Winner := player
  else
  begin
    best := truth.Current.Cards[truth.Current.Winner];
    if (Suit(c) = Suit(best)) and (c > best) then truth.Current.Winner := player;
  end;
  if Suit(c) <> Suit(truth.Current.Cards[truth.Current.Leader]) then
    truth.IsOut[player, Suit(truth.Current.Cards[truth.Current.Leader])] := True;
  truth.Where[c] := OnTable;
  truth.Owner[c] := player;
  Dec(truth.CardsLeft[player]);
  if player = truth.Me then Remove(truth.Hand, truth.HandCount, c);
end;

procedure FinishTrick;
var
  player: Integer;
begin
  if (truth.Current.Winner = Nobody) or (truth.TrickNumber < 1) or (truth.TrickNumber > 13) then Exit;
  for player := North to West do
    if truth.Current.Cards[player] <> NoCard then truth.Where[truth.Current.Cards[player]] := Played;
  truth.Points[truth.Current.Winner] := truth.Points[truth.Current.Winner] + truth.Current.Points;
  truth.Past[truth.TrickNumber - 1] := truth.Current;
  Inc(truth.TrickNumber);
  ClearTrick(truth.Current.Winner);
end;

{ --- the commands ---------------------------------------------------------------------------------------------------- }

{ Send a card, and with it which functions have used 10 milliseconds or more. }
procedure Answer(c: Card);
var
  i: Routine;
  reported: Boolean;
begin
  reported := False;
  Write(CardName(c));
  for i := Low(Routine) to High(Routine) do
  begin
    if used[i] >= 10000000 then
    begin
      if not reported then Write(' cpu');
      reported := True;
      Write(' ', RoutineNames[i], ' ', used[i] div 1000000);
    end;
    used[i] := 0;
  end;
  Write(#10);
  Flush(Output);
end;

{ The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our
  answer behind it: that is then a word too many. }
function ReadOthers(tell: Teller): Integer;
var
  first, player: Integer;
begin
  first := Nobody;
  repeat
    player := ReadPlayer;
    if first = Nobody then first := player;
    if (player = truth.Me) or (player = Nobody) then Break;
    tell(player, ReadCard);
  until False;
  if first = Nobody then first := truth.Me;
  ReadOthers := first;
end;

{ The four players and cards of a summary. Returns who was first. }
function ReadFour(tell: Teller): Integer;
var
  i, player: Integer;
begin
  for i := 0 to 3 do
  begin
    player := ReadPlayer;
    if i = 0 then ReadFour := player;
    tell(player, ReadCard);
  end;
end;

procedure EndTakesOnce;
begin
  if takesEnded then Exit;
  takesEnded := True;
  truth.TrickNumber := 1;
  ClearTrick(truth.Dealer);
  GAME := truth;
  Timed(rtEndTakes, own.EndTakes);
end;

procedure OnTake;
var
  c: Card;
begin
  truth.Dealer := ReadOthers(@TellTake);
  GAME := truth;
  c := TimedCard(rtTakeCard, own.TakeCard);
  if not IsChoiceIn(truth, c) then
    WriteLn(StdErr, 'acm98: TakeCard returned ', CardName(c), ', which is not in the pool');
  Answer(c);
end;

procedure OnPlay;
var
  c: Card;
begin
  EndTakesOnce;    { for a person who types and left out an aftertake }
  truth.Current.Leader := ReadOthers(@TellPlay);
  GAME := truth;
  c := TimedCard(rtPlayCard, own.PlayCard);
  if not IsChoiceIn(truth, c) then
    if (c <> NoCard) and (truth.Where[c] = Held) and (truth.Owner[c] = truth.Me) then
      WriteLn(StdErr, 'acm98: PlayCard returned ', CardName(c), ', which does not follow suit')
    else
      WriteLn(StdErr, 'acm98: PlayCard returned ', CardName(c), ', which is not in your hand');
  Answer(c);
end;

procedure OnEndRound;
var
  player: Integer;
begin
  if roundEnded then Exit;
  roundEnded := True;
  for player := North to West do truth.Total[player] := truth.Total[player] + truth.Points[player];
  GAME := truth;
  Timed(rtEndRound, own.EndRound);
end;

procedure PlayTrickyEights(startGame, startRound: Procedure6; takeCard: Function6; endTakes: Procedure6;
  playCard: Function6; endRound: Procedure6);
var
  word: ShortString;
begin
  own.StartGame := startGame;
  own.StartRound := startRound;
  own.TakeCard := takeCard;
  own.EndTakes := endTakes;
  own.PlayCard := playCard;
  own.EndRound := endRound;
  FillChar(truth, SizeOf(truth), 0);
  GAME := truth;
  Timed(rtStartGame, own.StartGame);
  repeat
    word := ReadWord;
    case word of
      'starthand': BeginHand;
      'take': OnTake;
      'aftertake':
        begin
          truth.Dealer := ReadFour(@TellTake);
          if truth.PoolCount = 0 then EndTakesOnce;
        end;
      'play': OnPlay;
      'result', 'resultoftrick':
        begin
          ReadFour(@TellPlay);
          FinishTrick;
        end;
      'endround', 'end': OnEndRound;
    end;
  until word = '';
end;

end.
