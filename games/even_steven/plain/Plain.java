// Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;

public class Plain {
    static int valueOf(String card) {
        return "23456789TJQKA".indexOf(card.length() == 3 ? 'T' : card.charAt(0));
    }

    public static void main(String[] args) {
        List<String> hand = new ArrayList<>();
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().trim().split("\\s+");
            if (words[0].matches("[0-9]+")) {
                hand = new ArrayList<>(Arrays.asList(words).subList(1, words.length));
            } else if (!words[0].equals("YOU")) {
                int least = valueOf(words[0]);
                String card = hand.stream().filter(held -> valueOf(held) >= least).findFirst().orElse(hand.get(0));
                hand.remove(card);
                System.out.println(card);
            }
        }
    }
}
