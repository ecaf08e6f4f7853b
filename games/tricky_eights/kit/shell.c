/*
 * shell.c - an empty contestant for Tricky Eights, for you to fill in.
 *
 * Team:
 * Strategy in one line:
 *
 * Read acm98.h first: it describes GAME, which holds everything you know, and the helper routines. This shell takes and
 * plays the first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few
 * games after every change.
 *
 * Each of the six functions has 4 seconds. Your program stays alive for a whole game (many rounds), so global variables
 * of your own keep their values from one call to the next.
 */
#include <stdio.h>

#include "acm98.h"

/* StartGame is called once, before anything else. Nothing is known yet: GAME holds only zeros.
   Prepare here what you need for the whole game, such as tables of your own. */
void StartGame(void)
{
}

/* StartRound is called when the ten cards of your hand are dealt and the pool of twelve is face up.
   You know GAME.me, GAME.round, GAME.dealer, GAME.hand, GAME.pool and the points of the earlier rounds in GAME.total.
   Reset here what you noted about the last round. */
void StartRound(void)
{
}

/* TakeCard is called three times a round. Return the card of the pool that you want to have: one of
   GAME.pool[0 ... GAME.poolCount - 1]. The cards that others took are gone; GAME.take tells who took what. */
Card TakeCard(void)
{
    return GAME.pool[0];
}

/* EndTakes is called when all twelve cards of the pool are taken, before the first trick. You now hold 13 cards, and
   know three cards of each of the others (GAME.take; or GAME.where and GAME.owner, by the card).
   A good moment to make a plan for the round. */
void EndTakes(void)
{
}

/* PlayCard is called 13 times a round. Return a card of your hand. If GAME.trick.count is 0, you lead and may play any card;
   otherwise you must follow the suit of GAME.trick.card[GAME.trick.leader] if you can. LegalCards gives you the choice. */
Card PlayCard(void)
{
    Card legal[13];

    LegalCards(legal);
    return legal[0];
}

/* EndRound is called when the 13 tricks are played. GAME.points has the points of this round, GAME.total those of the
   game with this round in it, GAME.past all the tricks. Here you might learn something about your opponents. */
void EndRound(void)
{
}
