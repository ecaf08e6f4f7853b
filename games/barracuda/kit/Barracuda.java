// A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
//
//     javac random.java Barracuda.java && java random HOST PORT [TOKEN]
//
// Your own file makes a Barracuda.Player and gives it to Barracuda.run; random.java shows how.

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Barracuda {
    /** What chooseCard returns instead of a card to offer a challenge. */
    public static final int OFFER_CHALLENGE = 0;

    /** Milliseconds between two attempts to connect. The server refuses earlier attempts. */
    static final long WAIT = 5000;

    /** What you write. */
    public interface Player {
        /** A card of the hand, or OFFER_CHALLENGE where state.canChallenge holds. */
        int chooseCard(State state);

        /** Whether to accept the challenge that the other player has offered. */
        boolean answerChallenge(State state);

        /** The result of a move. */
        default void hearResult(Result result) {}
    }

    /** The game as you may see it. */
    public static final class State {
        public final int[] hand;             // your cards, 1 to 13, from high to low
        public final int card;               // the card on the table; 0 when there is none
        public final int handId;             // 1 for the first hand of a game
        public final int gameId;             // unique to this game
        public final int yourTricks, theirTricks; // taken in this hand
        public final boolean canChallenge;   // whether you may offer a challenge now
        public final boolean inChallenge;    // whether one was accepted: this hand decides the game
        public final int totalTricks;        // played in this hand, ties included
        public final int yourPoints, theirPoints; // in this game; ten win it
        public final int opponentId;         // the number of the other team
        public final int playerNumber;       // 0 if you led the game, else 1
        public final double remaining;       // seconds left on your clock for this whole game

        State(Map<?, ?> from, double seconds) {
            hand = ((List<?>) from.get("hand")).stream().mapToInt(Barracuda::whole).toArray();
            card = from.containsKey("card") ? whole(from.get("card")) : 0;
            handId = whole(from.get("hand_id"));
            gameId = whole(from.get("game_id"));
            yourTricks = whole(from.get("your_tricks"));
            theirTricks = whole(from.get("their_tricks"));
            canChallenge = (Boolean) from.get("can_challenge");
            inChallenge = (Boolean) from.get("in_challenge");
            totalTricks = whole(from.get("total_tricks"));
            yourPoints = whole(from.get("your_points"));
            theirPoints = whole(from.get("their_points"));
            opponentId = whole(from.get("opponent_id"));
            playerNumber = whole(from.get("player_number"));
            remaining = seconds;
        }
    }

    /** The result of a move. */
    public static final class Result {
        public final String type;   // "trick_won", "trick_tied", "hand_done", "game_won", "accepted" or "error"
        public final int by;        // a player number; -1 when there is none
        public final int card;      // of "trick_won": the last card played
        public final String reason; // of "error"
        public final int me;        // your own player number

        Result(Map<?, ?> from, int number) {
            type = (String) from.get("type");
            by = from.containsKey("by") ? whole(from.get("by")) : -1;
            card = from.containsKey("card") ? whole(from.get("card")) : 0;
            reason = (String) from.get("reason");
            me = number;
        }
    }

    /** Play until the server refuses us. The arguments are those of main. Never returns. */
    public static void run(Player player, String[] words) throws InterruptedException {
        if (words.length < 2) {
            System.err.println("usage: HOST PORT [TOKEN]");
            System.exit(1);
        }
        while (true) {
            String trouble;
            try (Socket server = new Socket(words[0], Integer.parseInt(words[1]))) {
                server.setTcpNoDelay(true);
                if (words.length > 2) send(server, "{\"type\":\"login\",\"token\":\"" + words[2] + "\"}");
                DataInputStream input = new DataInputStream(server.getInputStream());
                while (true) handle(player, server, receive(input));
            } catch (IOException error) {
                trouble = error.getMessage();
            }
            Thread.sleep(WAIT); // at home, the end of a match ends us here
            System.err.println("no connection: " + trouble + "; trying again");
        }
    }

    private static void handle(Player player, Socket server, Map<?, ?> message) throws IOException {
        switch ((String) message.get("type")) {
            case "request":
                State state = new State((Map<?, ?>) message.get("state"), ((Number) message.get("remaining")).doubleValue());
                String response = respond(player, state, "challenge_offered".equals(message.get("request")));
                int id = whole(message.get("request_id"));
                send(server, "{\"type\":\"move\",\"request_id\":" + id + ",\"response\":{\"type\":" + response + "}}");
                break;
            case "result":
                player.hearResult(new Result((Map<?, ?>) message.get("result"), whole(message.get("your_player_num"))));
                break;
            case "greetings_program":
                System.err.println("connected, we are team " + whole(message.get("team_id")));
                break;
            case "error":
                System.err.println("the server refuses us: " + message.get("message") + " (it sees us at "
                        + message.get("seen_host") + ")");
                System.exit(1);
                break;
            default: // unknown to us
        }
    }

    private static String respond(Player player, State state, boolean offered) {
        if (offered) return player.answerChallenge(state) ? "\"accept_challenge\"" : "\"reject_challenge\"";
        int card = player.chooseCard(state);
        return card == OFFER_CHALLENGE ? "\"offer_challenge\"" : "\"play_card\",\"card\":" + card;
    }

    private static void send(Socket server, String message) throws IOException {
        byte[] body = message.getBytes(StandardCharsets.US_ASCII);
        OutputStream output = server.getOutputStream();
        output.write(ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array()); // in one piece
        output.flush();
    }

    private static Map<?, ?> receive(DataInputStream input) throws IOException {
        byte[] body = new byte[input.readInt()];
        input.readFully(body);
        return (Map<?, ?>) new Json(new String(body, StandardCharsets.US_ASCII)).value();
    }

    private static int whole(Object number) {
        return ((Number) number).intValue();
    }

    /** A JSON reader: objects are maps, arrays lists, numbers Doubles. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            switch (next()) {
                case '{':
                    Map<String, Object> members = new LinkedHashMap<>();
                    for (boolean more = begins('}'); more; more = goesOn('}')) {
                        String key = string();
                        expect(':');
                        members.put(key, value());
                    }
                    return members;
                case '[':
                    List<Object> items = new ArrayList<>();
                    for (boolean more = begins(']'); more; more = goesOn(']')) items.add(value());
                    return items;
                case '"':
                    return string();
                default:
                    return word();
            }
        }

        private char next() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return text.charAt(at);
        }

        private void expect(char wanted) {
            if (next() != wanted) throw new IllegalStateException("not JSON: " + text);
            at++;
        }

        private boolean begins(char end) {
            at++;
            if (next() != end) return true;
            at++;
            return false;
        }

        private boolean goesOn(char end) {
            boolean more = next() == ',';
            expect(more ? ',' : end);
            return more;
        }

        private String string() {
            expect('"');
            StringBuilder found = new StringBuilder();
            for (char c; (c = text.charAt(at++)) != '"'; ) {
                if (c != '\\') {
                    found.append(c);
                } else if ((c = text.charAt(at++)) == 'u') {
                    found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    int which = "bfnrt".indexOf(c);
                    found.append(which < 0 ? c : "\b\f\n\r\t".charAt(which));
                }
            }
            return found.toString();
        }

        private Object word() {
            int start = at;
            while (at < text.length() && ",:{}[] \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            if (word.equals("null")) return null;
            return word.equals("true") || word.equals("false") ? (Object) word.equals("true") : Double.valueOf(word);
        }
    }
}
