/*
 * Steven.java - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
 *
 *     Steven game = new Steven(args);
 *     while (game.nextCard())
 *         game.play(game.hand.get(0));
 *
 * nextCard reads until a card must be covered, and is false when all games are over. You then play a card of game.hand.
 * All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
 */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

final class Steven {
    private static final List<String> VALUES =
        Arrays.asList("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A");

    /** A card. */
    static final class Card {
        final String name; // as the dealer writes it, such as "10c"
        final int value; // 2 ... 14: jack 11, queen 12, king 13, ace 14
        final char suit; // 'c', 'd', 'h', 's': it has no effect on anything

        Card(String name) {
            this.name = name;
            this.value = VALUES.indexOf(name.substring(0, name.length() - 1)) + 2;
            this.suit = name.charAt(name.length() - 1);
        }

        /** Whether this card covers that dealt card. */
        boolean covers(Card dealt) {
            return value >= dealt.value;
        }

        @Override
        public String toString() {
            return name;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Card && name.equals(((Card) other).name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    int number = 0; // of this game: 1, 2, 3, ...
    int size = 0; // cards that you were dealt, and that you must cover
    final List<Card> hand = new ArrayList<>(); // the cards that you still hold, in the order of the deal
    Card open = null; // the card that you must cover now
    final List<Card> past = new ArrayList<>(); // all cards dealt so far, in order; the last is the open one
    final List<Card> played = new ArrayList<>(); // what you played on them
    int won = 0; // games so far
    int lost = 0;

    /** For random numbers. To repeat a run exactly, set the environment variable STEVEN_SEED to a number. */
    final Random random;

    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    private final boolean debugging;

    Steven(String[] args) {
        String seed = System.getenv("STEVEN_SEED");
        random = seed == null ? new Random() : new Random(Long.parseLong(seed));
        debugging = args.length > 0;
    }

    /**
     * Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without
     * an argument, nothing is written.
     */
    void debug(String line) {
        if (debugging) {
            System.out.println("* " + line);
            System.out.flush();
        }
    }

    /** Waits until a card must be covered: open. False when all games are over: end your program then. */
    boolean nextCard() {
        try {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.trim().split("\\s+");
                if (words[0].equals("YOU")) {
                    won += line.contains("WIN") ? 1 : 0;
                    lost += line.contains("LOSE") ? 1 : 0;
                } else if (words[0].matches("[0-9]+")) {
                    deal(words);
                } else if (words[0].matches("(10|[2-9JQKA])[cdhs]")) {
                    open = new Card(words[0]);
                    past.add(open);
                    return true;
                }
            }
            return false;
        } catch (IOException error) {
            return false;
        }
    }

    private void deal(String[] words) {
        number++;
        size = Integer.parseInt(words[0]);
        hand.clear();
        past.clear();
        played.clear();
        for (int place = 1; place < words.length; place++) {
            hand.add(new Card(words[place]));
        }
    }

    /** Plays this card on the open one. */
    void play(Card card) {
        if (!hand.remove(card)) {
            System.err.println("steven: " + card + " is not in your hand");
        }
        played.add(card);
        System.out.println(card);
        System.out.flush();
    }
}
