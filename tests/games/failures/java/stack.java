public class Shark {
    static int search(int depth) {
        return 1 + search(depth + 1);
    }

    public static void main(String[] words) {
        System.out.println(search(0));
    }
}
