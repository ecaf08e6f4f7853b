import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

class mybot {
    public static void main(String[] arguments) {
        List<String> hand = new ArrayList<>(), pool = new ArrayList<>();
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String line = in.nextLine();
            List<String> words = List.of(line.split(" "));
            switch (words.get(0)) {
                case "starthand":
                    hand = new ArrayList<>(words.subList(2, 12));
                    pool = new ArrayList<>(words.subList(12, words.size()));
                    break;
                case "take":
                    pool.removeAll(words);
                    hand.add(pool.remove(0));
                    System.out.println(hand.get(hand.size() - 1));
                    break;
                case "aftertake":
                    pool.removeAll(words);
                    break;
                case "play":
                    String suit = words.size() > 2 ? words.get(2).substring(0, 1) : "";
                    String card = hand.stream().filter(it -> it.startsWith(suit)).findFirst().orElse(hand.get(0));
                    hand.remove(card);
                    System.out.println(card);
                    break;
                case "result":
                case "endround":
                    break;
                default:
                    System.out.println("got " + line);
            }
        }
    }
}
