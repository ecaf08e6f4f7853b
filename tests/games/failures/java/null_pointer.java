import java.util.HashMap;

public class Shark {
    static int value(HashMap<String, Integer> values, String card) {
        return values.get(card);
    }

    public static void main(String[] words) {
        System.out.println(value(new HashMap<>(), "c2"));
    }
}
