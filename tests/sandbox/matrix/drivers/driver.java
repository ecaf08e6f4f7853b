// Does what it is told on standard input, with its library.
import java.io.*;
import java.net.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.*;

public class driver {
    static int count = 0;
    static final List<ByteBuffer> HOARD = new ArrayList<>();

    static byte[] perform(String op, String[] w) throws Throwable {
        switch (op) {
            case "read": try (InputStream file = new FileInputStream(w[1])) { return file.readNBytes(256); }
            case "stat": Files.getLastModifiedTime(Path.of(w[1])); return null;
            case "list": try (var all = Files.list(Path.of(w[1]))) { return Arrays.toString(all.toArray()).getBytes(); }
            case "readlink": return Files.readSymbolicLink(Path.of(w[1])).toString().getBytes();
            case "write": try (OutputStream file = new FileOutputStream(w[1])) { file.write(w[2].getBytes()); } return null;
            case "remove": Files.delete(Path.of(w[1])); return null;
            case "rename": Files.move(Path.of(w[1]), Path.of(w[2])); return null;
            case "folder": Files.createDirectory(Path.of(w[1])); return null;
            case "link": Files.createSymbolicLink(Path.of(w[2]), Path.of(w[1])); return null;
            case "mode": Files.setPosixFilePermissions(Path.of(w[1]), PosixFilePermissions.fromString("rwxrwxrwx")); return null;
            case "temporary": Files.createTempFile("x", "y"); return null;
            case "watch": Path.of(w[1]).register(FileSystems.getDefault().newWatchService(), StandardWatchEventKinds.ENTRY_CREATE); return null;
            case "lock": try (var file = FileChannel.open(Path.of(w[1]))) { file.lock(0, 1, true); } return null;
            case "tcp": try (var line = new Socket("127.0.0.1", Integer.parseInt(w[1]))) { line.getOutputStream().write(w[2].getBytes()); } return null;
            case "unix": try (var line = SocketChannel.open(UnixDomainSocketAddress.of(w[1]))) { line.write(ByteBuffer.wrap(w[2].getBytes())); } return null;
            case "udp": try (var line = new DatagramSocket()) {
                line.send(new DatagramPacket(w[2].getBytes(), w[2].length(), InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), Integer.parseInt(w[1])));
            } return null;
            case "serve": new ServerSocket(Integer.parseInt(w[1])).close(); return null;
            case "run": return new ProcessBuilder(w[1]).start().getInputStream().readNBytes(256);
            case "kill": if (!ProcessHandle.of(Long.parseLong(w[1])).orElseThrow().destroyForcibly()) throw new IOException(); return null;
            case "load": System.load(w[1]); return null;
            case "environment": return Objects.toString(System.getenv(w[1]), "").getBytes();
            case "thread": { var thread = new Thread(() -> {}); thread.start(); thread.join(); return null; }
            case "memory": for (long left = Long.parseLong(w[1]); left > 0; left -= 1 << 20) {
                var piece = ByteBuffer.allocateDirect(1 << 20);
                while (piece.hasRemaining()) piece.putLong(left);
                HOARD.add(piece);
            } return null;
            case "unsafe": {
                var field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
                field.setAccessible(true);
                var unsafe = (sun.misc.Unsafe) field.get(null);
                unsafe.putLong(Long.parseLong(w[1]), 1);
                return null;
            }
            case "flood": for (long i = Long.parseLong(w[1]) / 64; i > 0; i--) say("x".repeat(63)); return null;
            case "host": return String.valueOf(InetAddress.getLocalHost()).getBytes();
            default: say("u no such thing in its library"); throw new IOException();
        }
    }

    static void say(String text) { System.out.println(text); System.out.flush(); }

    static String hex(byte[] data) {
        var text = new StringBuilder("d ");
        for (byte it : data) text.append(String.format("%02x", it));
        return text.toString();
    }

    public static void main(String[] arguments) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null && !line.equals("e"); ) {
            String[] words = line.split(" ");
            if (words[0].equals("hold")) { say("held"); input.readLine(); continue; }
            if (words[0].equals("burn")) {
                for (long ends = System.nanoTime() + 1000000 * Long.parseLong(words[1]); System.nanoTime() < ends; );
                continue;
            }
            byte[] data = null;
            int failed = 0;
            try { data = perform(words[0], words); } catch (Throwable error) { failed = -1; }
            say("c " + ++count + " " + failed);
            if (data != null) say(hex(data));
        }
        say("end");
    }
}
