{ probe.pas - plays the commented game of 1998 as south did, and says on standard error what GAME and the helpers told it. }
program Probe;
{$mode objfpc}
uses acm98;
const
  Takes: array[0 .. 2] of string[2] = ('h5', 'ck', 'ha');
  Plays: array[0 .. 12] of string[2] =
    ('dk', 'h9', 'ca', 'h2', 's8', 'sq', 'h4', 'hj', 'c7', 'st', 'h5', 'ck', 'ha');
var
  taken: Integer = 0;
  played: Integer = 0;
procedure StartGame;
begin
  WriteLn(StdErr, 'game ', GAME.HandCount);
end;
procedure StartRound;
begin
  Write(StdErr, 'round ', GAME.Round, ' dealer ', PlayerName(GAME.Dealer), ' me ', PlayerName(GAME.Me));
  WriteLn(StdErr, ' hand ', GAME.HandCount, ' pool ', GAME.PoolCount, ' clubs ', CountSuit(Clubs));
end;
function TakeCard: Card;
begin
  TakeCard := CardFromName(Takes[taken]);
  Inc(taken);
end;
procedure EndTakes;
begin
  WriteLn(StdErr, 'takes over hand ', GAME.HandCount, ' east ', CardName(GAME.Take[East, 0]), ' where ',
    Ord(GAME.Where[CardFromName('hk')]), ' owner ', PlayerName(GAME.Owner[CardFromName('hk')]));
end;
function PlayCard: Card;
var
  legal: CardList;
  c: Card;
begin
  c := CardFromName(Plays[played]);
  Inc(played);
  WriteLn(StdErr, 'trick ', GAME.TrickNumber, ' leader ', PlayerName(GAME.Current.Leader), ' lie ', GAME.Current.Count,
    ' worth ', GAME.Current.Points, ' legal ', LegalCards(legal), ' ', CardName(c), ' ok ', Ord(IsLegal(c)),
    ' wins ', Ord(WouldWin(c)), ' higher ', CountHigher(c));
  PlayCard := c;
end;
procedure EndRound;
begin
  WriteLn(StdErr, 'end ', GAME.Points[0], ' ', GAME.Points[1], ' ', GAME.Points[2], ' ', GAME.Points[3], ' total ',
    GAME.Total[0], ' ', GAME.Total[1], ' ', GAME.Total[2], ' ', GAME.Total[3]);
  WriteLn(StdErr, 'past ', PlayerName(GAME.Past[12].Winner), ' ', GAME.Past[12].Points, ' out ',
    Ord(GAME.IsOut[South, Clubs]), Ord(GAME.IsOut[South, Diamonds]), Ord(GAME.IsOut[South, Hearts]),
    Ord(GAME.IsOut[South, Spades]), ' left ', GAME.CardsLeft[West], ' seen ', Ord(IsSeen(CardFromName('d2'))), ' next ',
    PlayerName(NextPlayer(West)), ' worth ', TrickPoints(13, GAME.Past[4].Cards));
end;
begin
  PlayTrickyEights(@StartGame, @StartRound, @TakeCard, @EndTakes, @PlayCard, @EndRound);
end.
