public class Player {
    public static void main(String[] words) {
        System.out.println("c2");
    }
}
