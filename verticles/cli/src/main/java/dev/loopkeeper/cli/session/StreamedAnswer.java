package dev.loopkeeper.cli.session;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** The head of an answer, and its body while it arrives. Used by one thread. */
public final class StreamedAnswer {
    private static final int FIRST_ERROR = 400;
    private static final int PART = 1 << 16;

    private final HttpURLConnection connection;
    private final int status;
    private final InputStream body;

    private StreamedAnswer(HttpURLConnection connection, int status, InputStream body) {
        this.connection = connection;
        this.status = status;
        this.body = body;
    }

    /** Waits for the head of the answer. */
    static StreamedAnswer of(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        InputStream body = status < FIRST_ERROR ? connection.getInputStream() : connection.getErrorStream();
        return new StreamedAnswer(connection, status, body == null ? InputStream.nullInputStream() : body);
    }

    int status() {
        return status;
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(connection.getHeaderField(name));
    }

    public InputStream body() {
        return body;
    }

    /**
     * Passes the body to {@code sink} in parts, no faster than they are processed. Returns false if the connection
     * ended early.
     */
    boolean to(Consumer<byte[]> sink) {
        byte[] part = new byte[PART];
        long missing = connection.getContentLengthLong();
        try (body) {
            for (int read = body.read(part); read >= 0; read = body.read(part)) {
                sink.accept(Arrays.copyOf(part, read));
                missing -= read;
            }
            return missing <= 0;
        } catch (IOException cut) {
            return false;
        }
    }
}
