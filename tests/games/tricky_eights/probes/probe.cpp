/* probe.cpp - plays the commented game of 1998 as south did, and says on standard error what GAME and the helpers told it. */
#include <cstdio>
#include "acm98.h"
void StartGame() { fprintf(stderr, "game %d\n", GAME.handCount); }
void StartRound() {
    fprintf(stderr, "round %d dealer %s me %s", GAME.round, PlayerName(GAME.dealer), PlayerName(GAME.me));
    fprintf(stderr, " hand %d pool %d clubs %d\n", GAME.handCount, GAME.poolCount, CountSuit(CLUBS));
}
static const char *const takes[] = {"h5", "ck", "ha"};
static const char *const plays[] = {"dk", "h9", "ca", "h2", "s8", "sq", "h4", "hj", "c7", "st", "h5", "ck", "ha"};
static int take, play;
Card TakeCard() { return CardFromName(takes[take++]); }
void EndTakes() {
    fprintf(stderr, "takes over hand %d east %s where %d owner %s\n", GAME.handCount,
            CardName(GAME.take[EAST][0]), GAME.where[CardFromName("hk")], PlayerName(GAME.owner[CardFromName("hk")]));
}
Card PlayCard() {
    Card legal[13];
    Card card = CardFromName(plays[play++]);
    int count = LegalCards(legal);
    fprintf(stderr, "trick %d leader %s lie %d worth %d legal %d %s ok %d wins %d higher %d\n", GAME.trickNumber,
            PlayerName(GAME.trick.leader), GAME.trick.count, GAME.trick.points, count, CardName(card), IsLegal(card),
            WouldWin(card), CountHigher(card));
    return card;
}
void EndRound() {
    fprintf(stderr, "end %d %d %d %d total %d %d %d %d\n", GAME.points[0], GAME.points[1], GAME.points[2],
            GAME.points[3], GAME.total[0], GAME.total[1], GAME.total[2], GAME.total[3]);
    fprintf(stderr, "past %s %d out %d%d%d%d left %d seen %d next %s worth %d\n",
            PlayerName(GAME.past[12].winner), GAME.past[12].points,
            GAME.isOut[SOUTH][CLUBS], GAME.isOut[SOUTH][DIAMONDS], GAME.isOut[SOUTH][HEARTS], GAME.isOut[SOUTH][SPADES],
            GAME.cardsLeft[WEST], IsSeen(CardFromName("d2")), PlayerName(NextPlayer(WEST)),
            TrickPoints(13, GAME.past[4].card, 4));
}
