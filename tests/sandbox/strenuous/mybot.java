// Works hard: much input, garbage, exceptions, the time, much output.
import java.io.*;
import java.time.*;
import java.util.*;

public class mybot {
    public static void main(String[] arguments) throws Exception {
        long size = 0, caught = 0;
        byte[] piece = new byte[65536];
        for (int n; (n = System.in.read(piece)) > 0; ) size += n;
        for (int i = 0; i < 20000; i++) {
            var garbage = new ArrayList<>(Collections.nCopies(200, new Object()));
            try {
                garbage.get(200);
            } catch (IndexOutOfBoundsException error) {
                caught++;
            }
        }
        System.gc();
        System.err.println(ZonedDateTime.now() + " " + new Date() + " " + Locale.getDefault());
        var output = new PrintStream(new FileOutputStream(FileDescriptor.out), false);
        for (int i = 0; i < 3000; i++) output.printf("%063d%n", i);
        output.println("ok " + size);
        output.flush();
        if (caught != 20000) System.exit(2);
    }
}
