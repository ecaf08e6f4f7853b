/*
 * Mactech98.java - talks to the referee of Hearts, so you do not have to. Do not change it: the contest builds your player
 * with its own copy.
 *
 * You write a class with the six routines of the Programmer's Challenge of 1998 (Shell.java describes them):
 *
 *     initTournament   initGame   selectPass   playTrick   trickResults   handResults
 *
 * main hands it to Mactech98.run. Arrays of four are indexed by seat. A hand is an array of 13 cards; where a card was played
 * there is NO_CARD. Arrays are yours to change.
 *
 * Print nothing to standard output: it belongs to the referee. Debug with System.err; only your team can read that afterwards.
 * Each millisecond of processor time that your routines use costs a point. So does what the Java machine needs to compile and
 * tidy up for them in threads of its own.
 */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

final class Mactech98 {
    enum Suit { NO_SUIT, SPADE, HEART, DIAMOND, CLUB }

    enum Pass { LEFT, RIGHT, ACROSS, NONE }

    /** Spots are 1 (the two) ... 13 (the ace), as in 1998. */
    static final int NO_SPOT = 0, JACK = 10, QUEEN = 11, KING = 12, ACE = 13;

    static final Card NO_CARD = new Card(Suit.NO_SUIT, NO_SPOT);

    private static final List<String> FACES =
        Arrays.asList("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A");
    private static final String SUITS = "SHDC";

    static final class Card {
        final Suit suit;
        final int spot;

        Card(Suit suit, int spot) {
            this.suit = suit;
            this.spot = spot;
        }

        /** Whether it costs points: a heart, or the queen of spades. */
        boolean isPoint() {
            return suit == Suit.HEART || (suit == Suit.SPADE && spot == QUEEN);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Card && suit == ((Card) other).suit && spot == ((Card) other).spot;
        }

        @Override
        public int hashCode() {
            return 14 * suit.ordinal() + spot;
        }

        @Override
        public String toString() {
            return suit == Suit.NO_SUIT ? "--" : FACES.get(spot - 1) + SUITS.charAt(suit.ordinal() - 1);
        }
    }

    /** What you write. */
    interface Player {
        void initTournament(int numPlayers, int gameEndingScore);

        void initGame(long[] playerIDs, int yourSeat);

        /** Three different indices of the hand. */
        int[] selectPass(Card[] dealtHand, Pass direction);

        /** The index in your hand of the card that you play. */
        int playTrick(int trickNumber, int trickLeader, Card[] yourHand, Card[] cardsPlayed);

        void trickResults(Card[] lastTrick, int trickWinner);

        void handResults(int[] pointsThisHand, int[] cumPoints);
    }

    /**
     * The indices of the cards that may be played now. led: the card that was led, NO_CARD when you lead; pointsPlayed: whether
     * a point card was played on an earlier trick of this hand.
     */
    static int[] legalIndices(Card[] hand, int trickNumber, Card led, boolean pointsPlayed) {
        boolean follows = false, others = false;
        for (Card card : hand) {
            if (card.suit == Suit.NO_SUIT) continue;
            follows |= card.suit == led.suit;
            others |= !card.isPoint();
        }
        int[] found = new int[hand.length];
        int count = 0;
        for (int i = 0; i < hand.length; i++) {
            Card card = hand[i];
            boolean legal;
            if (card.suit == Suit.NO_SUIT) legal = false;
            else if (led.suit != Suit.NO_SUIT) legal = card.suit == led.suit || !follows;
            else if (trickNumber == 0) legal = card.suit == Suit.CLUB && card.spot == 1;
            else legal = card.suit != Suit.HEART || pointsPlayed || !others;
            if (legal) found[count++] = i;
        }
        return Arrays.copyOf(found, count);
    }

    private static final String SEED = System.getenv("MACTECH98_SEED");

    /** Random numbers: different in every run, unless the environment variable MACTECH98_SEED holds a number. */
    static final Random RANDOM = SEED == null ? new Random() : new Random(Long.parseLong(SEED));

    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final Player player;
    private final PrintStream output = System.out;
    private Card[] dealt = new Card[0], hand = dealt;
    private Pass direction = Pass.NONE;
    private int seat;
    private long used; // nanoseconds of your routines since our last answer

    private Mactech98(Player player) {
        this.player = player;
    }

    private void timed(Runnable routine) {
        long started = CLOCK.getCurrentThreadCpuTime();
        routine.run();
        used += CLOCK.getCurrentThreadCpuTime() - started;
    }

    private void answer(String text) {
        byte[] line = (text + " cpu " + used + "\n").getBytes(StandardCharsets.US_ASCII);
        used = 0;
        output.write(line, 0, line.length);
        output.flush();
    }

    private static Card card(String word) {
        int last = word.length() - 1;
        return new Card(Suit.values()[SUITS.indexOf(word.charAt(last)) + 1], FACES.indexOf(word.substring(0, last)) + 1);
    }

    private static Card[] cards(String[] words, int first, int count) {
        Card[] found = new Card[count];
        for (int i = 0; i < count; i++) found[i] = card(words[first + i]);
        return found;
    }

    private static int[] numbers(String[] words, int first) {
        int[] found = new int[4];
        for (int i = 0; i < 4; i++) found[i] = Integer.parseInt(words[first + i]);
        return found;
    }

    private int[] callSelectPass() {
        int[][] chosen = new int[1][];
        Card[] shown = dealt.clone();
        timed(() -> chosen[0] = player.selectPass(shown, direction));
        return chosen[0];
    }

    private void deal(String[] words) {
        direction = Pass.valueOf(words[1].toUpperCase(java.util.Locale.ROOT));
        dealt = cards(words, 2, 13);
        hand = dealt.clone();
        if (direction == Pass.NONE) callSelectPass();
    }

    private void play(String[] words) {
        int trick = Integer.parseInt(words[1]), leader = Integer.parseInt(words[2]);
        Card[] shown = hand.clone(), played = {NO_CARD, NO_CARD, NO_CARD, NO_CARD};
        for (int i = 3; i < words.length; i++) played[(leader + i - 3) % 4] = card(words[i]);
        int[] chosen = new int[1];
        timed(() -> chosen[0] = player.playTrick(trick, leader, shown, played));
        answer(String.valueOf(chosen[0]));
    }

    private void trick(String[] words) {
        Card[] played = cards(words, 1, 4);
        int winner = Integer.parseInt(words[5]);
        for (int i = 0; i < hand.length; i++) if (hand[i].equals(played[seat])) hand[i] = NO_CARD;
        timed(() -> player.trickResults(played, winner));
    }

    private void hear(String[] words) {
        switch (words[0]) {
            case "hello":
                answer("ready");
                break;
            case "tournament":
                int players = Integer.parseInt(words[1]), target = Integer.parseInt(words[2]);
                timed(() -> player.initTournament(players, target));
                break;
            case "game":
                long[] ids = new long[4];
                for (int i = 0; i < 4; i++) ids[i] = Long.parseLong(words[1 + i]);
                seat = Integer.parseInt(words[5]);
                timed(() -> player.initGame(ids, seat));
                break;
            case "hand":
                deal(words);
                break;
            case "pass":
                int[] chosen = callSelectPass();
                answer(chosen[0] + " " + chosen[1] + " " + chosen[2]);
                break;
            case "received":
                for (int i = 1; i < 7; i += 2) hand[Integer.parseInt(words[i])] = card(words[i + 1]);
                break;
            case "play":
                play(words);
                break;
            case "trick":
                trick(words);
                break;
            case "score":
                int[] points = numbers(words, 1), totals = numbers(words, 5);
                timed(() -> player.handResults(points, totals));
                break;
            case "end":
                answer("done");
                break;
            default: // unknown to us
        }
    }

    /** Play until there is nothing more to read. */
    static void run(Player player) throws IOException {
        Mactech98 harness = new Mactech98(player);
        harness.timed(() -> { }); // starts the clock, which takes some time, before any of it counts
        harness.used = 0;
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = input.readLine()) != null; ) {
            line = line.trim();
            if (!line.isEmpty()) harness.hear(line.split("\\s+"));
        }
    }
}
