package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a server that speaks plain HTTP by the client of Java itself. Most commands ask once or twice and end: making an
 * event loop ready for that takes longer than all that they do.
 */
final class PlainExchange implements Exchange {
    private static final int CONNECT_MILLIS = 5000;
    private static final int FIRST_ERROR = 400;
    private static final int PART = 8192;

    static {
        // What may have been carried out is not asked for a second time unseen.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private final ServerLocation location;

    PlainExchange(ServerLocation location) {
        this.location = location;
    }

    @Override
    public Reply send(String method, String path, Map<String, String> headers, String body, Duration patience)
            throws IOException {
        long until = System.nanoTime() + patience.toNanos();
        HttpURLConnection connection = open(path);
        connection.setConnectTimeout((int) Math.min(CONNECT_MILLIS, patience.toMillis()));
        connection.setRequestMethod(method);
        connection.setReadTimeout((int) Math.min(Integer.MAX_VALUE, patience.toMillis()));
        headers.forEach(connection::setRequestProperty);
        connection.setDoOutput(!body.isEmpty());
        connection.connect();
        try {
            return answer(connection, body, until);
        } catch (SocketTimeoutException late) {
            throw CommandFailure.unreachable("no answer within " + Words.duration(patience.toMillis()));
        }
    }

    private static Reply answer(HttpURLConnection connection, String body, long until) throws IOException {
        if (!body.isEmpty()) {
            write(connection, body.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("what answers there does not speak HTTP");
        }
        InputStream answer = status < FIRST_ERROR ? connection.getInputStream() : connection.getErrorStream();
        return new Reply(
                status,
                answer == null ? "" : whole(answer, until),
                Optional.ofNullable(connection.getHeaderField("Location")));
    }

    private HttpURLConnection open(String path) throws IOException {
        URL url = URI.create(location.url() + path).toURL();
        HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "*/*");
        return connection;
    }

    private static void write(HttpURLConnection connection, byte[] body) throws IOException {
        try (OutputStream sink = connection.getOutputStream()) {
            sink.write(body);
        }
    }

    /** Each part may take as long as all together, so the wait has an end also where they keep coming. */
    private static String whole(InputStream answer, long until) throws IOException {
        try (answer) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] part = new byte[PART];
            for (int read = answer.read(part); read >= 0; read = answer.read(part)) {
                text.write(part, 0, read);
                if (System.nanoTime() - until > 0) {
                    throw new SocketTimeoutException("its answer has no end");
                }
            }
            return text.toString(StandardCharsets.UTF_8);
        }
    }
}
