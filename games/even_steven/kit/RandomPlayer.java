/*
 * RandomPlayer.java - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
 */
public class RandomPlayer {
    public static void main(String[] args) {
        Steven game = new Steven(args);
        while (game.nextCard()) {
            Steven.Card card = game.hand.get(game.random.nextInt(game.hand.size()));
            game.debug(game.open + " is dealt, I play " + card);
            game.play(card);
        }
    }
}
