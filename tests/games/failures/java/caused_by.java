public class Shark {
    static int parse(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException error) {
            throw new IllegalStateException("cannot read my hand", error);
        }
    }

    public static void main(String[] words) {
        System.out.println(parse("ten"));
    }
}
