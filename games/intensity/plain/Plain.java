// Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
import java.util.List;
import java.util.Scanner;
import java.util.stream.Collectors;

public class Plain {
    public static void main(String[] args) {
        List<Integer> numbers = new Scanner(System.in).tokens().map(Integer::valueOf).collect(Collectors.toList());
        int held = numbers.size() > 1 ? numbers.get(1) : 0;
        if (numbers.get(0) == 0) {
            System.out.println("Plain Java");
        } else if (numbers.get(0) == 1) {
            System.out.println(numbers.get(1) + " " + numbers.get(2) + " " + numbers.get(3));
        } else if (numbers.get(0) == 2) {
            int end = 4 + held + numbers.get(2);
            List<Integer> hand = numbers.subList(4, 4 + held), table = numbers.subList(4 + held, end);
            boolean calves = numbers.subList(end, end + 4 * (10 - held)).stream().anyMatch(card -> card / 10 == 3);
            System.out.println(hand.stream()
                .filter(card -> table.isEmpty() ? calves || card / 10 != 3 : card / 10 == table.get(0) / 10)
                .findFirst().orElse(hand.get(0)));
        }
    }
}
