// Probe.java - plays the commented game of 1998 as south did, and prints GAME and the helpers' results. Then it scribbles.
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Probe extends Acm98 {
    private final Deque<String> takes = new ArrayDeque<>(Arrays.asList("h5 ck ha".split(" ")));
    private final Deque<String> plays = new ArrayDeque<>(Arrays.asList("dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha".split(" ")));

    private static void say(Object... words) {
        System.err.println(Arrays.stream(words)
            .map(word -> word instanceof Boolean ? ((Boolean) word ? "1" : "0") : "" + word)
            .collect(Collectors.joining(" ")));
    }

    private static String joined(int[] numbers) {
        return IntStream.of(numbers).mapToObj(String::valueOf).collect(Collectors.joining(" "));
    }

    private static void burn() {
        var clock = java.lang.management.ManagementFactory.getThreadMXBean();
        long ending = clock.getCurrentThreadCpuTime() + 51_000_000;
        while (System.getenv("BURN") != null && clock.getCurrentThreadCpuTime() < ending) {}
    }

    private static void scribble() {
        for (Trick trick : GAME.past) Arrays.fill(trick.card, 99);
        Arrays.fill(GAME.trick.card, 99);
        for (List<Integer> cards : GAME.take) cards.clear();
        for (boolean[] suits : GAME.isOut) Arrays.fill(suits, true);
        for (int[] numbers : List.of(GAME.total, GAME.points, GAME.owner, GAME.cardsLeft)) Arrays.fill(numbers, 99);
        Arrays.fill(GAME.where, Place.TABLE);
        for (List<?> list : List.of(GAME.hand, GAME.pool, GAME.take, GAME.past)) list.clear();
        GAME.me = GAME.round = GAME.dealer = GAME.trickNumber = GAME.trick.leader = GAME.trick.winner = 99;
    }

    @Override
    public void startGame() {
        say("game", GAME.hand.size());
        scribble();
    }

    @Override
    public void startRound() {
        burn();
        say("round", GAME.round, "dealer", playerName(GAME.dealer), "me", playerName(GAME.me), "hand", GAME.hand.size(),
            "pool", GAME.pool.size(), "clubs", countSuit(CLUBS));
        scribble();
    }

    @Override
    public int takeCard() {
        scribble();
        return cardFromName(takes.pop());
    }

    @Override
    public void endTakes() {
        int hk = card(HEARTS, KING);
        say("takes over hand", GAME.hand.size(), "east", cardName(GAME.take.get(EAST).get(0)), "where",
            GAME.where[hk].ordinal(), "owner", playerName(GAME.owner[hk]));
        scribble();
    }

    @Override
    public int playCard() {
        burn();
        int card = cardFromName(plays.pop());
        say("trick", GAME.trickNumber, "leader", playerName(GAME.trick.leader), "lie", GAME.trick.count, "worth",
            GAME.trick.points, "legal", legalCards().size(), cardName(card), "ok", isLegal(card), "wins", wouldWin(card),
            "higher", countHigher(card));
        scribble();
        return card;
    }

    @Override
    public void endRound() {
        Trick last = GAME.past.get(12);
        StringBuilder out = new StringBuilder();
        for (boolean isOut : GAME.isOut[SOUTH]) out.append(isOut ? 1 : 0);
        say("end", joined(GAME.points), "total", joined(GAME.total));
        say("past", playerName(last.winner), last.points, "out", out, "left", GAME.cardsLeft[WEST], "seen",
            isSeen(cardFromName("d2")), "next", playerName(nextPlayer(WEST)), "worth",
            trickPoints(13, GAME.past.get(4).card));
    }

    public static void main(String[] args) {
        new Probe().run();
    }
}
