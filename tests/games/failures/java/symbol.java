public class Shark {
    public static void main(String[] words) {
        int[] hand = new int[13];
        System.out.println(hnad[0]);
    }
}
