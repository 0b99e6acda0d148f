package dev.loopkeeper.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A bare socket, for requests that no client library would send. */
public final class RawClient implements AutoCloseable {
    private final Socket socket;

    public RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
    }

    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Everything up to these words, read byte by byte so that nothing after them is. */
    public String until(String words) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith(words)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("the server ended the connection after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    /** Everything until the server ends the connection. */
    public String untilClosed() throws IOException {
        StringBuilder read = new StringBuilder();
        byte[] part = new byte[8192];
        try {
            for (int count = socket.getInputStream().read(part); count >= 0; ) {
                read.append(new String(part, 0, count, StandardCharsets.ISO_8859_1));
                count = socket.getInputStream().read(part);
            }
        } catch (SocketException reset) {
            read.append("(reset)");
        }
        return read.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
