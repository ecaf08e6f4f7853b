/*
 * acm98.c - talks to the Tricky Eights server, so that you do not have to. Do not change it: the contest builds your
 * player with its own copy.
 *
 * The server sends words separated by blanks and line ends. We read them one at a time, however long the lines are:
 *
 *     starthand WHO ten-cards twelve-cards             a round begins
 *     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
 *     aftertake (WHO CARD)x4                           what everybody took
 *     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
 *     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
 *     endround              or   end A B C D           the round is over
 *
 * Any other word is ignored, and so are superfluous cards and numbers. The end of input ends the program.
 * What aftertake and result say is what counts; our own answer changes nothing by itself.
 *
 * None of your functions may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
 * answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
 */
#include "acm98.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct Game truth; /* what the server told us */
static struct Game shown; /* the copy that the contestant sees, made again before each of its functions is called */

const struct Game *const acm98_game = &shown;

static int takesEnded; /* EndTakes was called in this round */
static int roundEnded; /* EndRound was called for this round, or no round has begun */

/* --- the clock ---------------------------------------------------------------------------------------------------- */

enum { START_GAME, START_ROUND, TAKE_CARD, END_TAKES, PLAY_CARD, END_ROUND, FUNCTIONS };

static const char *const FUNCTION_NAMES[FUNCTIONS] = {
    "StartGame", "StartRound", "TakeCard", "EndTakes", "PlayCard", "EndRound"
};

static clock_t used[FUNCTIONS]; /* processor time since our last answer */

/* Around every call: TIMED(START_ROUND, StartRound()); */
#define TIMED(function, call) do { clock_t started = clock(); call; used[function] += clock() - started; } while (0)

/* --- names -------------------------------------------------------------------------------------------------------- */

static const char SUIT_LETTERS[] = "cdhs";
static const char FACE_LETTERS[] = "23456789tjqka";
static const char PLAYER_LETTERS[] = "nesw";

static int Find(const char *letters, char letter)
{
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : -1;
}

Card CardFromName(const char *name)
{
    int suit, face;
    if (name == NULL || strlen(name) != 2) return NO_CARD;
    suit = Find(SUIT_LETTERS, name[0]);
    face = Find(FACE_LETTERS, name[1]);
    return suit < 0 || face < 0 ? NO_CARD : suit * 13 + face;
}

const char *CardName(Card card)
{
    static char names[8][3]; /* eight at a time, so that one fprintf can name several */
    static int next;
    char *name = names[next = (next + 1) % 8];
    if (card < 0 || card >= CARDS) return "??";
    name[0] = SUIT_LETTERS[SUIT(card)];
    name[1] = FACE_LETTERS[card % 13];
    name[2] = '\0';
    return name;
}

const char *PlayerName(int player)
{
    static const char *const names[PLAYERS] = {"north", "east", "south", "west"};
    return player < 0 || player >= PLAYERS ? "nobody" : names[player];
}

int NextPlayer(int player)
{
    return (player + 1) % PLAYERS;
}

/* --- helper routines ---------------------------------------------------------------------------------------------- */

static int ChoicesIn(const struct Game *game, Card list[13])
{
    int i, count = 0, suit = -1;
    if (game->trickNumber == 0) {
        memcpy(list, game->pool, (size_t)game->poolCount * sizeof(Card));
        return game->poolCount;
    }
    if (game->trick.count > 0) {
        suit = SUIT(game->trick.card[game->trick.leader]);
        for (i = 0; i < game->handCount; i++)
            if (SUIT(game->hand[i]) == suit) list[count++] = game->hand[i];
        if (count > 0) return count;
    }
    memcpy(list, game->hand, (size_t)game->handCount * sizeof(Card));
    return game->handCount;
}

static int IsChoiceIn(const struct Game *game, Card card)
{
    Card list[13];
    int i, count = ChoicesIn(game, list);
    for (i = 0; i < count; i++)
        if (list[i] == card) return 1;
    return 0;
}

int LegalCards(Card list[13])
{
    return ChoicesIn(&shown, list);
}

int IsLegal(Card card)
{
    return IsChoiceIn(&shown, card);
}

int WouldWin(Card card)
{
    Card best;
    if (shown.trick.winner == NOBODY) return 1;
    best = shown.trick.card[shown.trick.winner];
    return SUIT(card) == SUIT(best) && card > best;
}

int CountSuit(int suit)
{
    int i, count = 0;
    for (i = 0; i < shown.handCount; i++) count += SUIT(shown.hand[i]) == suit;
    return count;
}

int CountHigher(Card card)
{
    int count = 0;
    Card other;
    if (card < 0 || card >= CARDS) return 0;
    for (other = card + 1; other < CARDS && SUIT(other) == SUIT(card); other++)
        count += shown.where[other] != PLAYED && shown.where[other] != TABLE && shown.owner[other] != shown.me;
    return count;
}

int IsSeen(Card card)
{
    return card >= 0 && card < CARDS && shown.where[card] != HIDDEN;
}

int TrickPoints(int trickNumber, const Card *cards, int count)
{
    int i, points = trickNumber == 1 || trickNumber == 13 ? 3 : 1;
    for (i = 0; i < count; i++)
        if (cards[i] != NO_CARD && FACE(cards[i]) == 8) points += 2;
    return points;
}

/* --- random numbers ----------------------------------------------------------------------------------------------- */

static uint64_t randomState; /* 0: not seeded yet */

/* From the clock and from where the system put our stack: nobody can tell beforehand, and no file is read. */
static void SeedRandom(void)
{
    const char *given = getenv("ACM98_SEED");
    struct timespec now;
    if (given != NULL) {
        randomState = strtoull(given, NULL, 10);
    } else {
        timespec_get(&now, TIME_UTC);
        randomState = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
        randomState ^= (uint64_t)(uintptr_t)&now << 20;
    }
    randomState = randomState * 4u + 1u; /* never 0 */
}

/* splitmix64 (public domain, by Sebastiano Vigna): small, fast and good enough for cards. */
static uint64_t NextRandom(void)
{
    uint64_t z;
    if (randomState == 0) SeedRandom();
    z = randomState += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int RandomInt(int n)
{
    uint64_t bound, value;
    if (n <= 1) return 0;
    bound = UINT64_MAX - UINT64_MAX % (uint64_t)n; /* the few numbers above would favour the small results */
    do value = NextRandom();
    while (value >= bound);
    return (int)(value % (uint64_t)n);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

#define WORD_SIZE 16 /* the longest word that matters is "resultoftrick" */

/* The next word, or 0 at the end of input. What a word has beyond WORD_SIZE is read and dropped. */
static int ReadWord(char word[WORD_SIZE])
{
    int length = 0, letter;
    do letter = getchar();
    while (letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n');
    if (letter == EOF) return 0;
    while (letter != EOF && letter != ' ' && letter != '\t' && letter != '\r' && letter != '\n') {
        if (length < WORD_SIZE - 1) word[length++] = (char)letter;
        letter = getchar();
    }
    word[length] = '\0';
    return 1;
}

/* A word that should be a card or a player and is not. The server is never wrong, so a person is typing. */
static void Complain(const char *expected, const char *word)
{
    fprintf(stderr, "acm98: \"%s\" is not a %s\n", word, expected);
}

static Card ReadCard(void)
{
    char word[WORD_SIZE];
    Card card;
    if (!ReadWord(word)) exit(0);
    card = CardFromName(word);
    if (card == NO_CARD) Complain("card", word);
    return card;
}

static int ReadPlayer(void)
{
    char word[WORD_SIZE];
    int player;
    if (!ReadWord(word)) exit(0);
    player = word[1] == '\0' ? Find(PLAYER_LETTERS, word[0]) : -1;
    if (player < 0) Complain("player", word);
    return player;
}

/* --- keeping GAME up to date -------------------------------------------------------------------------------------- */

/* Takes a card out of a list and keeps the order of the others. */
static void Remove(Card *list, int *count, Card card)
{
    int i, kept = 0;
    for (i = 0; i < *count; i++)
        if (list[i] != card) list[kept++] = list[i];
    *count = kept;
}

static void Show(void)
{
    shown = truth;
}

static void ClearTrick(int leader)
{
    int player;
    truth.trick.leader = leader;
    truth.trick.count = 0;
    truth.trick.winner = NOBODY;
    for (player = 0; player < PLAYERS; player++) truth.trick.card[player] = NO_CARD;
    truth.trick.points = TrickPoints(truth.trickNumber, NULL, 0);
}

static void StartHand(void)
{
    int i, player;
    int round = truth.round + 1, total[PLAYERS];
    memcpy(total, truth.total, sizeof total);
    memset(&truth, 0, sizeof truth);
    memcpy(truth.total, total, sizeof total);
    truth.round = round;
    truth.dealer = (round - 1) % PLAYERS;
    truth.me = ReadPlayer();
    if (truth.me < 0) exit(1);
    for (i = 0; i < CARDS; i++) truth.owner[i] = NOBODY; /* and where[i] is HIDDEN */
    for (i = 0; i < 10; i++) {
        Card card = ReadCard();
        if (card == NO_CARD) continue;
        truth.hand[truth.handCount++] = card;
        truth.where[card] = HELD;
        truth.owner[card] = truth.me;
    }
    for (i = 0; i < 12; i++) {
        Card card = ReadCard();
        if (card == NO_CARD) continue;
        truth.pool[truth.poolCount++] = card;
        truth.where[card] = POOL;
    }
    for (player = 0; player < PLAYERS; player++) truth.cardsLeft[player] = 10;
    ClearTrick(truth.dealer);
    takesEnded = roundEnded = 0;
    Show();
    TIMED(START_ROUND, StartRound());
}

/* Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing. */
static void Take(int player, Card card)
{
    if (player < 0 || card == NO_CARD || truth.where[card] != POOL || truth.taken[player] == 3) return;
    Remove(truth.pool, &truth.poolCount, card);
    truth.where[card] = HELD;
    truth.owner[card] = player;
    truth.take[player][truth.taken[player]++] = card;
    truth.cardsLeft[player]++;
    if (player == truth.me) truth.hand[truth.handCount++] = card;
}

/* Somebody played a card to the current trick. Hearing it twice changes nothing. */
static void Play(int player, Card card)
{
    struct Trick *trick = &truth.trick;
    Card best;
    if (player < 0 || card == NO_CARD || trick->card[player] != NO_CARD) return;
    if (trick->count == 0) trick->leader = player;
    trick->card[player] = card;
    trick->count++;
    trick->points = TrickPoints(truth.trickNumber, trick->card, PLAYERS);
    best = trick->winner == NOBODY ? NO_CARD : trick->card[trick->winner];
    if (best == NO_CARD || (SUIT(card) == SUIT(best) && card > best)) trick->winner = player;
    if (SUIT(card) != SUIT(trick->card[trick->leader])) truth.isOut[player][SUIT(trick->card[trick->leader])] = 1;
    truth.where[card] = TABLE;
    truth.owner[card] = player;
    truth.cardsLeft[player]--;
    if (player == truth.me) Remove(truth.hand, &truth.handCount, card);
}

static void FinishTrick(void)
{
    int player;
    if (truth.trick.winner == NOBODY || truth.trickNumber < 1 || truth.trickNumber > 13) return;
    for (player = 0; player < PLAYERS; player++)
        if (truth.trick.card[player] != NO_CARD) truth.where[truth.trick.card[player]] = PLAYED;
    truth.points[truth.trick.winner] += truth.trick.points;
    truth.past[truth.trickNumber - 1] = truth.trick;
    truth.trickNumber++;
    ClearTrick(truth.trick.winner);
}

/* --- the commands ------------------------------------------------------------------------------------------------- */

/* Send a card, and with it which functions have used 10 milliseconds or more. One write, whatever the buffering. */
static void Answer(Card card)
{
    char line[256];
    int i, length = sprintf(line, "%s", CardName(card)), reported = 0;
    for (i = 0; i < FUNCTIONS; i++) {
        long ms = (long)(1000.0 * (double)used[i] / CLOCKS_PER_SEC);
        if (ms >= 10) length += sprintf(line + length, "%s %s %ld", reported++ ? "" : " cpu", FUNCTION_NAMES[i], ms);
        used[i] = 0;
    }
    line[length++] = '\n';
    fwrite(line, 1, (size_t)length, stdout);
    fflush(stdout);
}

/* The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our
   answer behind it: that is then a word too many. */
static int ReadOthers(void (*tell)(int player, Card card))
{
    int first = NOBODY, player;
    while ((player = ReadPlayer()) != truth.me && player >= 0) {
        if (first == NOBODY) first = player;
        tell(player, ReadCard());
    }
    return first == NOBODY ? truth.me : first;
}

/* The four players and cards of a summary. Returns who was first. */
static int ReadFour(void (*tell)(int player, Card card))
{
    int i, first = NOBODY, player;
    for (i = 0; i < PLAYERS; i++) {
        player = ReadPlayer();
        if (i == 0) first = player;
        tell(player, ReadCard());
    }
    return first;
}

static void EndTakesOnce(void)
{
    if (takesEnded) return;
    takesEnded = 1;
    truth.trickNumber = 1;
    ClearTrick(truth.dealer);
    Show();
    TIMED(END_TAKES, EndTakes());
}

static void OnTake(void)
{
    Card card;
    truth.dealer = ReadOthers(Take);
    Show();
    TIMED(TAKE_CARD, card = TakeCard());
    if (!IsChoiceIn(&truth, card))
        fprintf(stderr, "acm98: TakeCard returned %s, which is not in the pool\n", CardName(card));
    Answer(card);
}

static void OnAfterTake(void)
{
    truth.dealer = ReadFour(Take);
    if (truth.poolCount == 0) EndTakesOnce();
}

static void OnPlay(void)
{
    Card card;
    EndTakesOnce(); /* for a person who types and left out an aftertake */
    truth.trick.leader = ReadOthers(Play);
    Show();
    TIMED(PLAY_CARD, card = PlayCard());
    if (!IsChoiceIn(&truth, card))
        fprintf(stderr, "acm98: PlayCard returned %s, which %s\n", CardName(card),
                card >= 0 && card < CARDS && truth.where[card] == HELD && truth.owner[card] == truth.me
                    ? "does not follow suit" : "is not in your hand");
    Answer(card);
}

static void OnResult(void)
{
    ReadFour(Play);
    FinishTrick();
}

static void OnEndRound(void)
{
    int player;
    if (roundEnded) return;
    roundEnded = 1;
    for (player = 0; player < PLAYERS; player++) truth.total[player] += truth.points[player];
    Show();
    TIMED(END_ROUND, EndRound());
}

int main(void)
{
    char word[WORD_SIZE];
    roundEnded = 1;
    Show();
    TIMED(START_GAME, StartGame());
    while (ReadWord(word)) {
        if (strcmp(word, "starthand") == 0) StartHand();
        else if (strcmp(word, "take") == 0) OnTake();
        else if (strcmp(word, "aftertake") == 0) OnAfterTake();
        else if (strcmp(word, "play") == 0) OnPlay();
        else if (strcmp(word, "result") == 0 || strcmp(word, "resultoftrick") == 0) OnResult();
        else if (strcmp(word, "endround") == 0 || strcmp(word, "end") == 0) OnEndRound();
    }
    return 0;
}
