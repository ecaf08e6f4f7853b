// Plays anything that the rules allow. Replace the two choices by your own.

import java.util.Random;

public class random implements Barracuda.Player {
    private final Random chance = new Random();

    /** A card of the hand, or a challenge where one may be offered. */
    public int chooseCard(Barracuda.State state) {
        if (state.canChallenge && chance.nextDouble() < 0.05) return Barracuda.OFFER_CHALLENGE;
        return state.hand[chance.nextInt(state.hand.length)];
    }

    /** Whether to accept the challenge that the other player has offered. */
    public boolean answerChallenge(Barracuda.State state) {
        return chance.nextBoolean();
    }

    public static void main(String[] words) throws Exception {
        Barracuda.run(new random(), words);
    }
}
