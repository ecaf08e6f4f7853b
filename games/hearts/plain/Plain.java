// Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
import java.util.Arrays;
import java.util.Scanner;

public class Plain {
    static String[] hand = new String[0];

    static char suit(String card) {
        return card.charAt(card.length() - 1);
    }

    static int choose(String trick, String led) {
        int any = -1;
        for (int i = 0; i < 13; i++) {
            if (hand[i].isEmpty()) continue;
            if (any < 0) any = i;
            boolean may = led != null ? suit(hand[i]) == suit(led)
                : trick.equals("0") ? hand[i].equals("2C") : suit(hand[i]) != 'H';
            if (may) return i;
        }
        return any;
    }

    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        int seat = 0;
        while (input.hasNextLine()) {
            String[] words = input.nextLine().split(" ");
            switch (words[0]) {
                case "hello": case "end": System.out.println(words[0]); break;
                case "game": seat = Integer.parseInt(words[5]); break;
                case "hand": hand = Arrays.copyOfRange(words, 2, 15); break;
                case "pass": System.out.println("0 1 2"); break;
                case "received":
                    for (int i = 1; i < 7; i += 2) hand[Integer.parseInt(words[i])] = words[i + 1];
                    break;
                case "play": System.out.println(choose(words[1], words.length > 3 ? words[3] : null)); break;
                case "trick":
                    for (int i = 0; i < 13; i++) if (hand[i].equals(words[1 + seat])) hand[i] = "";
                    break;
                default:
            }
        }
    }
}
