package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.json.Json;
import io.vertx.core.Promise;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads the feed of a server, message by message, on the calling thread. */
public final class FeedReader implements AutoCloseable {
    private static final int MAX_MESSAGE = 64 << 20;
    private static final int PAUSE_ABOVE = 1000;
    private static final String END = "";

    private final WebSocketClient client;
    private final ClientWebSocket socket;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final Promise<Void> begun = Promise.promise();

    /** No message will follow. */
    public static final class EndedException extends RuntimeException {
        EndedException() {
            super("the feed has ended", null, false, false);
        }
    }

    private FeedReader(WebSocketClient client) {
        this.client = client;
        this.socket = client.webSocket();
    }

    /**
     * Connects and waits for the first message, the snapshot: what is done after this is heard as events, and is not in
     * a snapshot that the server made a moment later.
     *
     * @param run only this run's events; absent: all
     * @param since the cursor to replay from
     */
    public static FeedReader open(Api api, Optional<String> run, Optional<String> since) {
        WebSocketClient client = api.vertx()
                .createWebSocketClient(new WebSocketClientOptions()
                        .setMaxMessageSize(MAX_MESSAGE)
                        .setMaxFrameSize(MAX_MESSAGE)
                        .setClosingTimeout(1));
        FeedReader reader = new FeedReader(client);
        try {
            return reader.connected(api, query(run, since));
        } catch (CommandFailure late) {
            reader.close();
            throw late;
        } catch (UpgradeRejectedException refused) {
            reader.close();
            api.refuseRedirect(
                    refused.getStatus(),
                    Optional.ofNullable(refused.getHeaders()).map(headers -> headers.get("Location")));
            throw api.refusal(refused.getStatus(), refused.getBody());
        } catch (Exception refused) {
            reader.close();
            throw api.unreachable(refused);
        }
    }

    private static String query(Optional<String> run, Optional<String> since) {
        String runs = run.map(id -> "runs=" + Api.encoded(id)).orElse("");
        return runs + since.map(cursor -> "&since=" + Api.encoded(cursor)).orElse("");
    }

    private FeedReader connected(Api api, String query) {
        ServerLocation location = api.location();
        WebSocketConnectOptions options = new WebSocketConnectOptions()
                .setHost(location.host())
                .setPort(location.port())
                .setSsl(location.secure())
                .setURI("/api/v1/feed?" + query);
        location.certificate()
                .ifPresent(file -> options.setSslOptions(new ClientSSLOptions()
                        .setTrustOptions(new PemTrustOptions().addCertPath(file))
                        .setHostnameVerificationAlgorithm("")));
        location.token().ifPresent(token -> options.addHeader("Authorization", "Bearer " + token));
        socket.textMessageHandler(this::received);
        socket.closeHandler(closed -> add(END));
        socket.exceptionHandler(broken -> add(END));
        Session.await(socket.connect(options).compose(connected -> begun.future()));
        return this;
    }

    private void add(String message) {
        messages.add(message);
        begun.tryComplete();
    }

    private void received(String text) {
        add(text);
        if (messages.size() > PAUSE_ABOVE) {
            socket.pause();
        }
    }

    /** The next message; empty when none comes in time. Fails with {@link EndedException} after the last. */
    public Optional<Document<FeedMessage>> next(Duration patience) {
        try {
            String text = messages.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (text == null) {
                return Optional.empty();
            }
            if (text.equals(END)) {
                throw new EndedException();
            }
            if (messages.isEmpty()) {
                socket.resume();
            }
            return Optional.of(new Document<>(Json.MAPPER.readTree(text), FeedMessage.class));
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new EndedException();
        } catch (JsonProcessingException broken) {
            throw CommandFailure.unreachable("the server's feed is not JSON; check --server");
        }
    }

    @Override
    public void close() {
        client.close().onFailure(alreadyGone -> add(END));
    }
}
