public class Shark {
    private final int[] hand = new int[13];

    int lowest(int from) {
        return hand[from];
    }

    public static void main(String[] words) {
        System.err.println("starting");
        System.out.println(new Shark().lowest(13));
    }
}
