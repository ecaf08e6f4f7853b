// An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.

public class shell implements Barracuda.Player {
    public int chooseCard(Barracuda.State state) {
        return state.hand[0];
    }

    public boolean answerChallenge(Barracuda.State state) {
        return false;
    }

    /** Such as type "trick_won", by 1, card 13; `by` is `me` when it was you. */
    @Override
    public void hearResult(Barracuda.Result result) {}

    public static void main(String[] words) throws Exception {
        Barracuda.run(new shell(), words);
    }
}
