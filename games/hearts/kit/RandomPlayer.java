/*
 * RandomPlayer.java - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable
 * player: make it a little better, again and again.
 */
import java.util.Random;

public class RandomPlayer implements Mactech98.Player {
    private final Random random = Mactech98.RANDOM;
    private boolean pointsPlayed; // a heart or the queen of spades was played on an earlier trick of this hand

    public void initTournament(int numPlayers, int gameEndingScore) {
    }

    public void initGame(long[] playerIDs, int yourSeat) {
    }

    public int[] selectPass(Mactech98.Card[] dealtHand, Mactech98.Pass direction) {
        pointsPlayed = false;
        return random.ints(0, 13).distinct().limit(3).toArray(); // ignored when nothing is passed
    }

    public int playTrick(int trickNumber, int trickLeader, Mactech98.Card[] yourHand, Mactech98.Card[] cardsPlayed) {
        int[] legal = Mactech98.legalIndices(yourHand, trickNumber, cardsPlayed[trickLeader], pointsPlayed);
        return legal[random.nextInt(legal.length)];
    }

    public void trickResults(Mactech98.Card[] lastTrick, int trickWinner) {
        for (Mactech98.Card card : lastTrick) pointsPlayed |= card.isPoint();
    }

    public void handResults(int[] pointsThisHand, int[] cumPoints) {
    }

    // Do not change this.
    public static void main(String[] args) throws Exception {
        Mactech98.run(new RandomPlayer());
    }
}
