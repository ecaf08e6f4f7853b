/*
 * Shell.java - an empty player of Even Steven, for you to fill in. (Your class must have the name of your file.)
 *
 * Team:
 * Strategy in one line:
 *
 * Read Steven.java: it describes Card, the fields of the game, and the helper routines. This shell plays the first card of its
 * hand, whatever was dealt. Write chooseCard, then try it:
 *
 *     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer Shell.java
 */
public class Shell {
    /**
     * Return the card of your hand that you play on game.open: one of game.hand. If none of them covers it, the game is lost;
     * play one all the same. Not all games can be won.
     */
    static Steven.Card chooseCard(Steven game) {
        return game.hand.get(0);
    }

    public static void main(String[] args) {
        Steven game = new Steven(args);
        while (game.nextCard()) {
            Steven.Card card = chooseCard(game);
            game.debug("game " + game.number + ": " + game.open + " is dealt, I play " + card);
            game.play(card);
        }
    }
}
