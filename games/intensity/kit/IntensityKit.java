/*
 * IntensityKit.java - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
 * puts its own copy beside your file.
 *
 * You write a class with four methods (Shell.java describes them):
 *
 *     playerName   chooseDiscards   chooseCard   runUnitTests
 *
 * main hands it to IntensityKit.run, which reads the question, calls the method that is wanted, and prints what it returns.
 * Your program is started again for every question: nothing is left of the question before.
 *
 * Print nothing to standard output: it belongs to the answer. Debug with System.err; only your team can read that afterwards.
 */
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Collectors;

final class IntensityKit {
    static final int BUFFALO = 47;

    /** What you write. Cards are numbers, 10 ... 49. */
    interface Player {
        /** At most 32 characters. */
        String playerName();

        /** The three cards of your hand that go to the player on your left. */
        List<Integer> chooseDiscards(List<Integer> hand);

        /** The card that you play. */
        int chooseCard(Question question);

        /** What the contest runs when it checks your program. */
        void runUnitTests();
    }

    static boolean isCalf(int card) {
        return card >= 30 && card <= 39;
    }

    /** What a card costs the player who wins its round. */
    static int penalty(int card) {
        return card == BUFFALO ? 7 : isCalf(card) ? 1 : 0;
    }

    /** A card, and who played it. */
    static final class Play {
        final int position;
        final int card;

        Play(int position, int card) {
            this.position = position;
            this.card = card;
        }

        @Override
        public String toString() {
            return position + ":" + card;
        }
    }

    /** Who wins a round, given in the order of play. */
    static int winner(List<Play> round) {
        Play best = round.get(0);
        for (Play play : round) {
            if (play.card / 10 == best.card / 10 && play.card > best.card) best = play;
        }
        return best.position;
    }

    /** Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order. */
    static final class Question {
        final int position; // your place at the table, 0 ... 3
        final List<Integer> hand;
        final List<Integer> table; // the cards of this round so far; empty: you lead
        final List<Integer> played; // the cards of all rounds before
        final List<Integer> discarded; // what you gave to the player on your left, (position + 1) % 4
        final List<Integer> received; // what you got from the player on your right

        Question(int position, List<Integer> hand, List<Integer> table, List<Integer> played, List<Integer> discarded,
                List<Integer> received) {
            this.position = position;
            this.hand = hand;
            this.table = table;
            this.played = played;
            this.discarded = discarded;
            this.received = received;
        }

        /** Whether a calf was played in an earlier round, so that calves may be led. */
        boolean calfPlayed() {
            return played.stream().anyMatch(IntensityKit::isCalf);
        }

        /** The cards that you may play, in increasing order. */
        List<Integer> legal() {
            boolean calves = calfPlayed();
            List<Integer> found = hand.stream()
                .filter(card -> table.isEmpty() ? calves || !isCalf(card) : card / 10 == table.get(0) / 10)
                .collect(Collectors.toList());
            return found.isEmpty() ? hand : found;
        }

        /** The rounds before this one, in the order of play. */
        List<List<Play>> rounds() {
            List<List<Play>> found = new ArrayList<>();
            int leader = 0;
            for (int start = 0; start < played.size(); start += 4) {
                List<Play> round = new ArrayList<>();
                for (int turn = 0; turn < 4; turn++) round.add(new Play((leader + turn) % 4, played.get(start + turn)));
                found.add(round);
                leader = winner(round);
            }
            return found;
        }

        /** The cards of this round so far. */
        List<Play> onTheTable() {
            List<Play> found = new ArrayList<>();
            int first = position + 4 - table.size();
            for (int turn = 0; turn < table.size(); turn++) found.add(new Play((first + turn) % 4, table.get(turn)));
            return found;
        }
    }

    private final Scanner input = new Scanner(System.in);

    private List<Integer> numbers(int count) {
        Integer[] found = new Integer[count];
        for (int i = 0; i < count; i++) found[i] = input.nextInt();
        return Arrays.asList(found);
    }

    private Question question() {
        List<Integer> about = numbers(3);
        int held = about.get(0);
        return new Question(about.get(2), numbers(held), numbers(about.get(1)), numbers(4 * (10 - held)), numbers(3),
            numbers(3));
    }

    /** Answer the question on standard input. */
    static void run(Player player) {
        IntensityKit kit = new IntensityKit();
        switch (kit.numbers(1).get(0)) {
            case 0:
                System.out.println(player.playerName());
                break;
            case 1:
                System.out.println(
                    player.chooseDiscards(kit.numbers(10)).stream().map(String::valueOf).collect(Collectors.joining(" ")));
                break;
            case 2:
                System.out.println(player.chooseCard(kit.question()));
                break;
            default:
                player.runUnitTests();
        }
    }
}
