package carp.wire;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

public final class Frames {
    private final DataInputStream input;
    private final DataOutputStream output;

    public Frames(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        input = new DataInputStream(socket.getInputStream());
        output = new DataOutputStream(socket.getOutputStream());
    }

    /** The next message, or null at the end. */
    public String read() throws IOException {
        try {
            byte[] body = new byte[input.readInt()];
            input.readFully(body);
            return new String(body, StandardCharsets.UTF_8);
        } catch (EOFException end) {
            return null;
        }
    }

    public void write(String message) throws IOException {
        byte[] body = message.getBytes(StandardCharsets.UTF_8);
        byte[] data = new byte[4 + body.length];
        for (int at = 0; at < 4; at++) data[at] = (byte) (body.length >>> (24 - 8 * at));
        System.arraycopy(body, 0, data, 4, body.length);
        output.write(data);
        output.flush();
    }
}
