import com.google.gson.Gson;

public class Shark {
    public static void main(String[] words) {
        System.out.println(new Gson().toJson("c2"));
    }
}
