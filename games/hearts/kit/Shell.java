/*
 * Shell.java - an empty contestant for Hearts, for you to fill in. (Your class must have the name of your file.)
 *
 * Team:
 * Strategy in one line:
 *
 * Read Mactech98.java first: it says what the six routines get and return. This shell passes its first three cards and plays the
 * first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
 * every change.
 *
 * Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the
 * next. Every millisecond of processor time in your routines costs a point.
 */
public class Shell implements Mactech98.Player {
    private int me; // our seat
    private boolean pointsPlayed; // a heart or the queen of spades was played on an earlier trick of this hand

    /** Called once, before anything else. A game is over after the hand in which somebody has gameEndingScore points. */
    public void initTournament(int numPlayers, int gameEndingScore) {
    }

    /**
     * Called before each game. The same number in playerIDs is the same player throughout the tournament. Player i + 1 (modulo 4)
     * sits to the left of player i.
     */
    public void initGame(long[] playerIDs, int yourSeat) {
        me = yourSeat;
    }

    /**
     * Called at the beginning of every hand. Return three different indices of dealtHand (0 ... 12). With Pass.NONE nothing is
     * passed, and what you return is ignored.
     */
    public int[] selectPass(Mactech98.Card[] dealtHand, Mactech98.Pass direction) {
        pointsPlayed = false;
        return new int[] {0, 1, 2};
    }

    /**
     * Called 13 times a hand. Return the index of the card that you play. yourHand has NO_CARD where cards were played, and the
     * cards that were passed to you in the places of those that you passed. cardsPlayed is indexed by seat, with NO_CARD where
     * nobody has played yet: cardsPlayed[trickLeader] was led, unless you lead.
     */
    public int playTrick(int trickNumber, int trickLeader, Mactech98.Card[] yourHand, Mactech98.Card[] cardsPlayed) {
        return Mactech98.legalIndices(yourHand, trickNumber, cardsPlayed[trickLeader], pointsPlayed)[0];
    }

    /** Called after each trick: what everybody played, by seat, and who took it. */
    public void trickResults(Mactech98.Card[] lastTrick, int trickWinner) {
        for (Mactech98.Card card : lastTrick) pointsPlayed |= card.isPoint();
    }

    /** Called after each hand. A player who has shot the moon gets -26 points. */
    public void handResults(int[] pointsThisHand, int[] cumPoints) {
        System.err.println("my points: " + pointsThisHand[me] + ", now " + cumPoints[me] + " in all");
    }

    // Do not change this.
    public static void main(String[] args) throws Exception {
        Mactech98.run(new Shell());
    }
}
