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
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The HTTP client of all commands. Uses {@link HttpURLConnection}, which starts much faster than Vert.x or
 * {@code java.net.http}.
 */
final class HttpExchange {
    private static final int CONNECT_MILLIS = 5000;
    private static final int PART = 8192;
    private static final String SIGN = "/health/live";

    /**
     * An answer.
     *
     * @param body empty if there is none
     * @param location target of a redirect; empty if the answer is not a redirect
     */
    record Reply(int status, String body, Optional<String> location) {}

    static {
        // A request that the server may have executed must not be sent a second time.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private final ServerLocation location;
    private Optional<SSLSocketFactory> trust = Optional.empty();

    HttpExchange(ServerLocation location) {
        this.location = location;
    }

    /**
     * Sends a request and waits for the complete answer. Blocks; not for event loops.
     *
     * @param path path and query, e.g. {@code /api/v1/runs?limit=5}
     * @param body sent unchanged; empty for none
     * @param patience how long the answer may take
     * @throws CommandFailure if there is no answer in time
     * @throws IOException if the server cannot be reached or does not answer
     */
    Reply send(String method, String path, Map<String, String> headers, String body, Duration patience)
            throws IOException {
        long until = System.nanoTime() + patience.toNanos();
        HttpURLConnection connection = open(path, headers, patience);
        connection.setConnectTimeout((int) Math.min(CONNECT_MILLIS, patience.toMillis()));
        connection.setRequestMethod(method);
        connection.setDoOutput(!body.isEmpty());
        connection.connect();
        try {
            if (!body.isEmpty()) {
                write(connection, body.getBytes(StandardCharsets.UTF_8));
            }
            StreamedAnswer answer = StreamedAnswer.of(connection);
            return new Reply(answer.status(), text(answer.body(), until), answer.header("Location"));
        } catch (SocketTimeoutException late) {
            throw CommandFailure.unreachable("no answer within " + Words.duration(patience.toMillis()));
        }
    }

    /** Requests a sign of life, which is any answer. */
    void requestSign(Duration patience) throws IOException {
        Reply unused = send("GET", SIGN, Map.of(), "", patience);
    }

    /**
     * Sends a GET request and returns as soon as the server sends the head of its answer.
     *
     * @param silence how long the server may send nothing; zero means no limit
     */
    StreamedAnswer stream(String path, Map<String, String> headers, Duration silence) throws IOException {
        HttpURLConnection connection = open(path, headers, silence);
        connection.setConnectTimeout(CONNECT_MILLIS);
        return StreamedAnswer.of(connection);
    }

    private HttpURLConnection open(String path, Map<String, String> headers, Duration silence) throws IOException {
        URL url = URI.create(location.url() + path).toURL();
        HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setReadTimeout((int) Math.min(Integer.MAX_VALUE, silence.toMillis()));
        connection.setRequestProperty("Accept", "*/*");
        headers.forEach(connection::setRequestProperty);
        if (connection instanceof HttpsURLConnection secure
                && location.certificate().isPresent()) {
            // Only this one certificate is trusted, so no other server can impersonate this one.
            secure.setSSLSocketFactory(trusting(location.certificate().get()));
            secure.setHostnameVerifier((host, session) -> true);
        }
        return connection;
    }

    private synchronized SSLSocketFactory trusting(String certificates) throws IOException {
        if (trust.isEmpty()) {
            try (InputStream pem = Files.newInputStream(Path.of(certificates))) {
                KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
                trusted.load(null, null);
                for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                    trusted.setCertificateEntry(Integer.toString(trusted.size()), each);
                }
                TrustManagerFactory managers =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                managers.init(trusted);
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, managers.getTrustManagers(), null);
                trust = Optional.of(context.getSocketFactory());
            } catch (GeneralSecurityException unusable) {
                throw new IOException("the certificate " + certificates + " cannot be used: " + unusable.getMessage());
            }
        }
        return trust.get();
    }

    private static void write(HttpURLConnection connection, byte[] body) throws IOException {
        try (OutputStream sink = connection.getOutputStream()) {
            sink.write(body);
        }
    }

    /** Reads the complete text. The read timeout applies to each part, so {@code until} bounds the total time. */
    private static String text(InputStream answer, long until) throws IOException {
        try (answer) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] part = new byte[PART];
            for (int read = answer.read(part); read >= 0; read = answer.read(part)) {
                text.write(part, 0, read);
                if (System.nanoTime() - until > 0) {
                    throw new SocketTimeoutException("the answer does not end");
                }
            }
            return text.toString(StandardCharsets.UTF_8);
        }
    }
}
