/*
 * RandomPlayer.java - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable
 * player: make it a little better, again and again.
 */
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

public class RandomPlayer implements IntensityKit.Player {
    private static final String SEED = System.getenv("INTENSITY_SEED");

    private final Random random = SEED == null ? new Random() : new Random(Long.parseLong(SEED));

    public String playerName() {
        return "Random in Java";
    }

    public List<Integer> chooseDiscards(List<Integer> hand) {
        List<Integer> shuffled = new ArrayList<>(hand);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 3);
    }

    public int chooseCard(IntensityKit.Question question) {
        List<Integer> legal = question.legal();
        return legal.get(random.nextInt(legal.size()));
    }

    public void runUnitTests() {
        System.out.println("no tests");
    }

    // Do not change this.
    public static void main(String[] args) {
        IntensityKit.run(new RandomPlayer());
    }
}
