/*
 * RandomPlayer.java - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable
 * player: make it a little better, again and again.
 */
import java.util.List;

public class RandomPlayer extends Acm98 {
    @Override
    public void startGame() {}

    @Override
    public void startRound() {}

    @Override
    public int takeCard() {
        return GAME.pool.get(RANDOM.nextInt(GAME.pool.size()));
    }

    @Override
    public void endTakes() {}

    @Override
    public int playCard() {
        List<Integer> legal = legalCards();
        return legal.get(RANDOM.nextInt(legal.size()));
    }

    @Override
    public void endRound() {}

    public static void main(String[] args) {
        new RandomPlayer().run();
    }
}
