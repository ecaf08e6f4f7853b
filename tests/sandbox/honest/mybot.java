// What an honest bot uses of its library.
import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.SecureRandom;
import java.text.SimpleDateFormat;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.*;

public class mybot {
    record Card(String suit, int value) implements Comparable<Card> {
        public int compareTo(Card other) { return Integer.compare(value, other.value); }
    }
    enum Suit { CLUBS, DIAMONDS }

    public static void main(String[] words) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null;)
            new Scanner(line).forEachRemaining(word -> word.toLowerCase());
        List<Card> deck = IntStream.range(0, 52).mapToObj(i -> new Card(i % 2 == 0 ? "d" : "c", i)).collect(Collectors.toList());
        Collections.shuffle(deck, new Random());
        Map<String, List<Card>> suits = deck.stream().sorted().collect(Collectors.groupingBy(Card::suit));
        if (suits.get("d").size() != 26 || new TreeMap<>(suits).firstKey().isEmpty()) System.exit(2);
        long start = System.nanoTime();
        AtomicInteger sum = new AtomicInteger();
        Thread thread = new Thread(() -> sum.addAndGet(40));
        thread.start();
        thread.join();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        sum.addAndGet(pool.submit(() -> 2).get());
        pool.shutdown();
        if (sum.get() != 42 || deck.parallelStream().mapToInt(Card::value).sum() != 1326) System.exit(3);
        if (CompletableFuture.supplyAsync(() -> 7).get(5, TimeUnit.SECONDS) != 7) System.exit(4);
        if (!Pattern.matches("[cdhs]\\w", "dk") || new BigInteger("12").pow(20).signum() != 1) System.exit(5);
        if (Files.exists(Path.of("weights.bin")) || new File("weights.bin").length() != 0) System.exit(6);
        new SecureRandom().nextInt();
        UUID.randomUUID();
        new SplittableRandom().nextInt();
        LocalDateTime.now();
        new SimpleDateFormat("yyyy-MM-dd").format(new Date());
        Logger.getLogger("bot").info(String.format(Locale.ROOT, "%.2f", Math.sqrt(2)));
        Runtime.getRuntime().availableProcessors();
        System.getProperty("user.home");
        Thread.sleep(1);
        try { throw new IllegalStateException("on purpose"); } catch (IllegalStateException error) { error.printStackTrace(); }
        EnumMap<Suit, Function<Integer, Integer>> rules = new EnumMap<>(Suit.class);
        rules.put(Suit.CLUBS, x -> x + 1);
        if (System.nanoTime() < start) System.exit(7);
        System.out.println("ok");
    }
}
