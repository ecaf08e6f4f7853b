/*
 * Acm98.java - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the
 * contest builds your player with its own copy.
 *
 * You write six methods (Shell.java describes them):
 *
 *     startGame   startRound   takeCard   endTakes   playCard   endRound
 *
 * They belong to a class of your own that extends Acm98. Its main makes one and calls run(), which reads what the server
 * says, keeps GAME up to date, calls your methods and sends the cards they return.
 *
 * Two things to remember:
 *
 * - Print nothing to standard output: it belongs to the server. Debug with System.err; only your team can read that
 *   afterwards.
 * - GAME is for reading only. What you change in it is gone before your next method is called, and the server believes no
 *   one.
 */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.StringTokenizer;
import java.util.function.BiConsumer;

public abstract class Acm98 {
    // -----------------------------------------------------------------------------------------------------------------
    // Players, suits, faces, cards
    // -----------------------------------------------------------------------------------------------------------------

    /** Players sit clockwise in this order. The player after p is (p + 1) % 4. */
    public static final int NORTH = 0, EAST = 1, SOUTH = 2, WEST = 3;

    /** Used where there is no player. */
    public static final int NOBODY = -1;

    public static final int CLUBS = 0, DIAMONDS = 1, HEARTS = 2, SPADES = 3;

    /** Faces are 2 to 14. The cards between are simply 2 to 10. */
    public static final int JACK = 11, QUEEN = 12, KING = 13, ACE = 14;

    /** Used where there is no card. */
    public static final int NO_CARD = -1;

    // A card is a number 0 to 51, so that it can be the index of an array: first the clubs from 2 to ace (0 to 12), then the
    // diamonds, the hearts and the spades. suit, face and card take it apart and put it together.

    /** CLUBS to SPADES. */
    public static int suit(int card) {
        return card / 13;
    }

    /** 2 to ACE. */
    public static int face(int card) {
        return card % 13 + 2;
    }

    /** card(HEARTS, 8) is the eight of hearts. */
    public static int card(int suit, int face) {
        return suit * 13 + face - 2;
    }

    /** The name of a card as the server writes it, such as "dk". */
    public static String cardName(int card) {
        return card < 0 || card > 51 ? "??" : "" + "cdhs".charAt(card / 13) + "23456789tjqka".charAt(card % 13);
    }

    /** The inverse: cardFromName("dk"). NO_CARD if it is not a card. */
    public static int cardFromName(String name) {
        boolean isCard = name.matches("[cdhs][2-9tjqka]");
        return isCard ? "cdhs".indexOf(name.charAt(0)) * 13 + "23456789tjqka".indexOf(name.charAt(1)) : NO_CARD;
    }

    /** "north", "east", "south", "west". */
    public static String playerName(int player) {
        return player == NOBODY ? "nobody" : new String[] {"north", "east", "south", "west"}[player];
    }

    // -----------------------------------------------------------------------------------------------------------------
    // GAME
    // -----------------------------------------------------------------------------------------------------------------

    /** Where a card is, as far as you can know: GAME.where[card]. */
    public enum Place {
        HIDDEN, // dealt to one of the other players, you do not know to whom
        POOL, // face up in the pool, may still be taken
        HELD, // in the hand of player GAME.owner[card]: yours, or taken from the pool where everybody saw it
        TABLE, // on the table, in the current trick
        PLAYED // went with an earlier trick
    }

    /** One trick, finished or not. */
    public static final class Trick {
        public int leader; // who played the first card
        public int count; // how many cards it has, 0 to 4
        public int[] card = {NO_CARD, NO_CARD, NO_CARD, NO_CARD}; // card[p]: what player p played. Not in order.
        public int winner = NOBODY; // who wins it as it stands (NOBODY while it is empty)
        public int points; // what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight

        Trick(int leader, int points) {
            this.leader = leader;
            this.points = points;
        }

        Trick copy() {
            Trick copy = new Trick(leader, points);
            copy.count = count;
            copy.card = card.clone();
            copy.winner = winner;
            return copy;
        }
    }

    /** Everything you know. There is one of these, GAME. */
    public static final class Game {
        public int me = NOBODY; // which player you are: NORTH to WEST
        public int round; // number of the round, from 1
        public int dealer; // dealer of this round: takes first, and leads the first trick
        public int[] total = new int[4]; // points of all finished rounds. In endRound this round is already in it.
        public int[] points; // points made in this round so far

        // Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
        public List<Integer> hand;

        // The takes
        public List<Integer> pool; // the cards left in the pool: during takeCard, those you may choose from
        public List<List<Integer>> take; // take.get(p): what player p took so far, in that order

        // The play
        public int trickNumber; // number of the current trick 1 to 13; 0 during the takes, 14 in endRound
        public Trick trick; // the current trick: in playCard the cards that were played before you
        public List<Trick> past; // the finished tricks of this round

        // What you know of every card and every player: a card counter's table, kept for you
        public Place[] where;
        public int[] owner; // who holds, played or took that card; NOBODY for a card that is HIDDEN or in the POOL
        public int[] cardsLeft; // how many cards player p holds
        public boolean[][] isOut; // isOut[p][suit]: player p has none left, because it did not follow

        Game() {
            newRound(NORTH);
        }

        void newRound(int dealer) {
            this.dealer = dealer;
            points = new int[4];
            hand = new ArrayList<>();
            pool = new ArrayList<>();
            take = new ArrayList<>();
            for (int player = 0; player < 4; player++) take.add(new ArrayList<>());
            trickNumber = 0;
            trick = new Trick(dealer, 1);
            past = new ArrayList<>();
            where = new Place[52];
            Arrays.fill(where, Place.HIDDEN);
            owner = new int[52];
            Arrays.fill(owner, NOBODY);
            cardsLeft = new int[] {10, 10, 10, 10};
            isOut = new boolean[4][4];
        }

        /** Makes this a copy of the other that shares nothing with it. */
        void become(Game other) {
            me = other.me;
            round = other.round;
            dealer = other.dealer;
            total = other.total.clone();
            points = other.points.clone();
            hand = new ArrayList<>(other.hand);
            pool = new ArrayList<>(other.pool);
            take = new ArrayList<>();
            for (List<Integer> cards : other.take) take.add(new ArrayList<>(cards));
            trickNumber = other.trickNumber;
            trick = other.trick.copy();
            past = new ArrayList<>();
            for (Trick finished : other.past) past.add(finished.copy());
            where = other.where.clone();
            owner = other.owner.clone();
            cardsLeft = other.cardsLeft.clone();
            isOut = new boolean[4][];
            for (int player = 0; player < 4; player++) isOut[player] = other.isOut[player].clone();
        }
    }

    public static final Game GAME = new Game();

    // -----------------------------------------------------------------------------------------------------------------
    // Your six methods. None may take more than 4 seconds. Shell.java tells what each is for.
    // -----------------------------------------------------------------------------------------------------------------

    public abstract void startGame();

    public abstract void startRound();

    public abstract int takeCard();

    public abstract void endTakes();

    public abstract int playCard();

    public abstract void endRound();

    // -----------------------------------------------------------------------------------------------------------------
    // Helper routines. None of them changes anything.
    // -----------------------------------------------------------------------------------------------------------------

    /** The cards you may play now: those of the suit led, if you have any, or else your whole hand. In the takes: the pool. */
    public static List<Integer> legalCards() {
        return choices(GAME);
    }

    /** Whether you may play (during the takes: take) this card now. */
    public static boolean isLegal(int card) {
        return choices(GAME).contains(card);
    }

    /** Whether this card would be the winning one of the current trick if you played it now. */
    public static boolean wouldWin(int card) {
        return beats(GAME.trick, card);
    }

    /** How many cards of a suit you hold. */
    public static int countSuit(int suit) {
        int count = 0;
        for (int card : GAME.hand) count += suit(card) == suit ? 1 : 0;
        return count;
    }

    /**
     * How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours,
     * not played and not on the table. 0: nobody can beat it any more, if its suit is led.
     */
    public static int countHigher(int card) {
        int count = 0;
        for (int other = card + 1; other < 52 && suit(other) == suit(card); other++) {
            boolean gone = GAME.where[other] == Place.PLAYED || GAME.where[other] == Place.TABLE;
            count += gone || GAME.owner[other] == GAME.me ? 0 : 1;
        }
        return count;
    }

    /** Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours. */
    public static boolean isSeen(int card) {
        return GAME.where[card] != Place.HIDDEN;
    }

    /** What trick 1 to 13 with these cards is worth: 1, or 3 for the first and the last, and 2 for each eight. */
    public static int trickPoints(int number, int... cards) {
        int points = number == 1 || number == 13 ? 3 : 1;
        for (int card : cards) points += card != NO_CARD && face(card) == 8 ? 2 : 0;
        return points;
    }

    /** The next player clockwise. */
    public static int nextPlayer(int player) {
        return (player + 1) % 4;
    }

    /**
     * For random numbers. Different in every run, unless the environment variable ACM98_SEED holds a number (to debug: the
     * same number gives the same random numbers; it is not set in the contest).
     */
    public static final Random RANDOM =
        System.getenv("ACM98_SEED") == null ? new Random() : new Random(Long.parseLong(System.getenv("ACM98_SEED")));

    // -----------------------------------------------------------------------------------------------------------------
    // You need not read beyond this line.
    // -----------------------------------------------------------------------------------------------------------------

    private static final String[] FUNCTIONS = {"StartGame", "StartRound", "TakeCard", "EndTakes", "PlayCard", "EndRound"};
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final Game truth = new Game(); // what the server told us; GAME becomes a copy before each method is called
    private final long[] used = new long[6]; // nanoseconds of processor time since our last answer
    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
    private final PrintStream output = System.out;
    private StringTokenizer words = new StringTokenizer("");
    private boolean takesEnded = false;
    private boolean roundEnded = true;

    /**
     * Plays: call this once, in your main. It returns when the server has nothing more to say.
     *
     * It reads the commands, one word at a time:
     *
     *     starthand WHO ten-cards twelve-cards             a round begins
     *     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
     *     aftertake (WHO CARD)x4                           what everybody took
     *     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
     *     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
     *     endround              or   end A B C D           the round is over
     *
     * Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our
     * own answer changes nothing by itself.
     *
     * None of your methods may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
     * answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
     */
    public final void run() {
        try {
            timed(0, this::startGame);
            for (String word = nextWord(); word != null; word = nextWord()) hear(word);
        } catch (IOException ended) {
            // in the middle of a line
        }
    }

    private void hear(String command) throws IOException {
        switch (command) {
            case "starthand":
                onStartHand();
                break;
            case "take":
                truth.dealer = readOthers(this::tellTake);
                answer(2);
                break;
            case "aftertake":
                truth.dealer = readFour(this::tellTake);
                if (truth.pool.isEmpty()) endTakesOnce();
                break;
            case "play":
                endTakesOnce(); // for a person who types and left out an aftertake
                truth.trick.leader = readOthers(this::tellPlay);
                answer(4);
                break;
            case "result":
            case "resultoftrick":
                readFour(this::tellPlay);
                finishTrick();
                break;
            case "endround":
            case "end":
                onEndRound();
                break;
            default:
        }
    }

    private void timed(int function, Runnable call) {
        GAME.become(truth);
        long started = CLOCK.getCurrentThreadCpuTime();
        call.run();
        used[function] += CLOCK.getCurrentThreadCpuTime() - started;
    }

    /** Sends the card that a method returns, and with it which methods have used 10 milliseconds or more. */
    private void answer(int function) {
        int[] chosen = new int[1];
        timed(function, () -> chosen[0] = function == 2 ? takeCard() : playCard());
        int card = chosen[0];
        if (!choices(truth).contains(card)) {
            String why = truth.hand.contains(card) ? "does not follow suit" : "is not in your hand";
            String which = function == 2 ? "takeCard" : "playCard";
            why = function == 2 ? "is not in the pool" : why;
            System.err.println("acm98: " + which + " returned " + cardName(card) + ", which " + why);
        }
        StringBuilder report = new StringBuilder();
        for (int each = 0; each < 6; each++) {
            long ms = used[each] / 1_000_000;
            if (ms >= 10) report.append(report.length() == 0 ? " cpu " : " ").append(FUNCTIONS[each]).append(" ").append(ms);
            used[each] = 0;
        }
        output.print(cardName(card) + report + "\n");
        output.flush();
    }

    private static List<Integer> choices(Game game) {
        if (game.trickNumber == 0) return new ArrayList<>(game.pool);
        if (game.trick.count == 0) return new ArrayList<>(game.hand);
        int led = suit(game.trick.card[game.trick.leader]);
        List<Integer> following = new ArrayList<>();
        for (int card : game.hand) if (suit(card) == led) following.add(card);
        return following.isEmpty() ? new ArrayList<>(game.hand) : following;
    }

    private static boolean beats(Trick trick, int card) {
        if (trick.winner == NOBODY) return true;
        int best = trick.card[trick.winner];
        return suit(card) == suit(best) && card > best;
    }

    /** The next word, or null at the end of input. Words are separated by blanks and line ends. Lines may have any length. */
    private String nextWord() throws IOException {
        while (!words.hasMoreTokens()) {
            String line = input.readLine();
            if (line == null) return null;
            words = new StringTokenizer(line);
        }
        return words.nextToken();
    }

    private String readWord() throws IOException {
        String word = nextWord();
        if (word == null) throw new IOException("the input ended");
        return word;
    }

    private int readCard() throws IOException {
        String word = readWord();
        int card = cardFromName(word);
        if (card == NO_CARD) System.err.println("acm98: \"" + word + "\" is not a card");
        return card;
    }

    private int readPlayer() throws IOException {
        String word = readWord();
        int player = word.length() == 1 ? "nesw".indexOf(word) : NOBODY;
        if (player == NOBODY) System.err.println("acm98: \"" + word + "\" is not a player");
        return player;
    }

    private List<Integer> readCards(int count) throws IOException {
        List<Integer> cards = new ArrayList<>();
        for (int i = 0; i < count; i++) cards.add(readCard());
        cards.removeAll(Collections.singleton(NO_CARD));
        return cards;
    }

    /**
     * The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our
     * answer behind it: that is then a word too many.
     */
    private int readOthers(BiConsumer<Integer, Integer> tell) throws IOException {
        int first = readPlayer();
        for (int player = first; player != truth.me && player != NOBODY; player = readPlayer()) tell.accept(player, readCard());
        return first == NOBODY ? truth.me : first;
    }

    /** The four players and cards of a summary. Returns who was first. */
    private int readFour(BiConsumer<Integer, Integer> tell) throws IOException {
        int first = readPlayer();
        tell.accept(first, readCard());
        for (int i = 1; i < 4; i++) {
            int player = readPlayer();
            tell.accept(player, readCard());
        }
        return first == NOBODY ? truth.dealer : first;
    }

    /** Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing. */
    private void tellTake(int player, int card) {
        if (player == NOBODY || !truth.pool.remove((Integer) card)) return;
        truth.where[card] = Place.HELD;
        truth.owner[card] = player;
        truth.take.get(player).add(card);
        truth.cardsLeft[player]++;
        if (player == truth.me) truth.hand.add(card);
    }

    /** Somebody played a card to the current trick. Hearing it twice changes nothing. */
    private void tellPlay(int player, int card) {
        Trick trick = truth.trick;
        if (player == NOBODY || card == NO_CARD || trick.card[player] != NO_CARD) return;
        if (trick.count == 0) trick.leader = player;
        if (beats(trick, card)) trick.winner = player;
        trick.card[player] = card;
        trick.count++;
        trick.points = trickPoints(truth.trickNumber, trick.card);
        int led = suit(trick.card[trick.leader]);
        if (suit(card) != led) truth.isOut[player][led] = true;
        truth.where[card] = Place.TABLE;
        truth.owner[card] = player;
        truth.cardsLeft[player]--;
        truth.hand.remove((Integer) card);
    }

    private void finishTrick() {
        Trick trick = truth.trick;
        if (trick.winner == NOBODY || truth.trickNumber < 1 || truth.trickNumber > 13) return;
        for (int card : trick.card) if (card != NO_CARD) truth.where[card] = Place.PLAYED;
        truth.points[trick.winner] += trick.points;
        truth.past.add(trick);
        truth.trickNumber++;
        truth.trick = new Trick(trick.winner, trickPoints(truth.trickNumber));
    }

    private void onStartHand() throws IOException {
        truth.round++;
        truth.newRound((truth.round - 1) % 4);
        truth.me = readPlayer();
        truth.hand = readCards(10);
        truth.pool = readCards(12);
        for (int card : truth.hand) {
            truth.where[card] = Place.HELD;
            truth.owner[card] = truth.me;
        }
        for (int card : truth.pool) truth.where[card] = Place.POOL;
        takesEnded = roundEnded = false;
        timed(1, this::startRound);
    }

    private void endTakesOnce() {
        if (takesEnded) return;
        takesEnded = true;
        truth.trickNumber = 1;
        truth.trick = new Trick(truth.dealer, 3);
        timed(3, this::endTakes);
    }

    private void onEndRound() {
        if (roundEnded) return;
        roundEnded = true;
        for (int player = 0; player < 4; player++) truth.total[player] += truth.points[player];
        timed(5, this::endRound);
    }
}
