{ shell.pas - an empty contestant for Tricky Eights, for you to fill in.

  Team:
  Strategy in one line:

  Read the first part of acm98.pas first: it describes GAME, which holds everything you know, and the helper routines.
  This shell takes and plays the first card that is allowed, so it follows the rules from the start. Change one thing at a
  time, and play a few games after every change.

  Each of the six routines has 4 seconds. Your program stays alive for a whole game (many rounds), so global variables of
  your own keep their values from one call to the next. }
program Shell;

{$mode objfpc}

uses
  acm98;

{ StartGame is called once, before anything else. Nothing is known yet: GAME holds only zeros.
  Prepare here what you need for the whole game, such as tables of your own. }
procedure StartGame;
begin
end;

{ StartRound is called when the ten cards of your hand are dealt and the pool of twelve is face up.
  You know GAME.Me, GAME.Round, GAME.Dealer, GAME.Hand, GAME.Pool and the points of the earlier rounds in GAME.Total.
  Reset here what you noted about the last round. }
procedure StartRound;
begin
end;

{ TakeCard is called three times a round. Return the card of the pool that you want to have: one of
  GAME.Pool[0 .. GAME.PoolCount - 1]. The cards that others took are gone; GAME.Take tells who took what. }
function TakeCard: Card;
begin
  TakeCard := GAME.Pool[0];
end;

{ EndTakes is called when all twelve cards of the pool are taken, before the first trick. You now hold 13 cards, and
  know three cards of each of the others (GAME.Take; or GAME.Where and GAME.Owner, by the card).
  A good moment to make a plan for the round. }
procedure EndTakes;
begin
end;

{ PlayCard is called 13 times a round. Return a card of your hand. If GAME.Current.Count is 0, you lead and may play any
  card; otherwise you must follow the suit of GAME.Current.Cards[GAME.Current.Leader] if you can. LegalCards gives you the
  choice. }
function PlayCard: Card;
var
  legal: CardList;
begin
  LegalCards(legal);
  PlayCard := legal[0];
end;

{ EndRound is called when the 13 tricks are played. GAME.Points has the points of this round, GAME.Total those of the
  game with this round in it, GAME.Past all the tricks. Here you might learn something about your opponents. }
procedure EndRound;
begin
end;

{ Do not change this. }
begin
  PlayTrickyEights(@StartGame, @StartRound, @TakeCard, @EndTakes, @PlayCard, @EndRound);
end.
