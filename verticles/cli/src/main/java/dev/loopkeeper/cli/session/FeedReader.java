package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads the feed of a server, message by message, on the calling thread. */
public final class FeedReader implements AutoCloseable {
    private static final int MAX_MESSAGE = 64 << 20;
    private static final int PAUSE_ABOVE = 1000;
    private static final String END = "";
    private static final Buffer ALIVE = Buffer.buffer("loopkeeper");
    private static final String ENDED = "has ended the feed";
    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(20), Duration.ofSeconds(10));

    private final Vertx vertx;
    private final Patience patience;
    private final WebSocketClient client;
    private final ClientWebSocket socket;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final Promise<Void> begun = Promise.promise();
    private final AtomicBoolean left = new AtomicBoolean();
    private volatile long heardAt;
    /** Of the question that has no answer yet. */
    private volatile OptionalLong askedAt = OptionalLong.empty();

    private volatile String ending = ENDED;
    private volatile long looking;

    /**
     * How long a line may be quiet before it is asked for a sign of life, and how long that may take: of a server that
     * hangs, or of a line that went away with a sleep of the machine, nothing is ever heard.
     */
    record Patience(Duration quiet, Duration answer) {}

    /** No message will follow. Its message says why, to be read after the name of the server. */
    public static final class EndedException extends RuntimeException {
        EndedException(String why) {
            super(why, null, false, false);
        }
    }

    private FeedReader(Vertx vertx, WebSocketClient client, Patience patience) {
        this.vertx = vertx;
        this.patience = patience;
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
        return open(api, run, since, PATIENCE);
    }

    static FeedReader open(Api api, Optional<String> run, Optional<String> since, Patience patience) {
        WebSocketClient client = api.vertx()
                .createWebSocketClient(new WebSocketClientOptions()
                        .setMaxMessageSize(MAX_MESSAGE)
                        .setMaxFrameSize(MAX_MESSAGE)
                        .setClosingTimeout(0)); // a server that was halted says no farewell
        FeedReader reader = new FeedReader(api.vertx(), client, patience);
        try {
            return reader.connected(api, query(run, since));
        } catch (CommandFailure late) {
            reader.close();
            throw api.silent(late);
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
        socket.frameHandler(frame -> heard());
        socket.pongHandler(pong -> heard());
        socket.closeHandler(closed -> add(END));
        socket.exceptionHandler(broken -> add(END));
        heard();
        Future<Void> beginning = socket.connect(options).compose(connected -> {
            looking = vertx.setPeriodic(patience.answer().dividedBy(2).toMillis(), due -> look());
            return begun.future();
        });
        Session.await(beginning, api.patience());
        return this;
    }

    private void heard() {
        askedAt = OptionalLong.empty();
        heardAt = System.nanoTime();
    }

    private void look() {
        if (!messages.isEmpty()) {
            // It is this reader that is slow.
            heard();
            return;
        }
        long now = System.nanoTime();
        if (askedAt.isPresent()) {
            // Not by how long it is silent: a reader that stood still meanwhile, as by Ctrl-Z, has asked only now.
            if (now - askedAt.getAsLong() > patience.answer().toNanos()) {
                ending = "has not answered for "
                        + Duration.ofNanos(now - heardAt).toSeconds() + " s";
                add(END);
                close();
            }
        } else if (now - heardAt > patience.quiet().toNanos()) {
            askedAt = OptionalLong.of(now);
            socket.writePing(ALIVE).onFailure(broken -> add(END));
        }
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
                throw new EndedException(ending);
            }
            if (messages.isEmpty()) {
                socket.resume();
            }
            return Optional.of(new Document<>(Json.MAPPER.readTree(text), FeedMessage.class));
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new EndedException(ENDED);
        } catch (JsonProcessingException broken) {
            throw CommandFailure.unreachable("the server's feed is not JSON; check --server");
        }
    }

    @Override
    public void close() {
        boolean unused = vertx.cancelTimer(looking);
        // A second close is answered with nothing.
        if (left.compareAndSet(false, true)) {
            client.close().onFailure(alreadyGone -> add(END));
        }
    }
}
