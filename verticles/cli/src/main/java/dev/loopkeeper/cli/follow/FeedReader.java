package dev.loopkeeper.cli.follow;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StreamedAnswer;
import dev.loopkeeper.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads the feed of a server, message by message, as server-sent events. */
public final class FeedReader implements AutoCloseable {
    private static final int MOST_UNREAD = 1000;
    private static final String DATA = "data: ";
    private static final String END = "";
    private static final String ENDED = "has closed the feed";
    /** A server without events sends a comment every 30 s. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private final StreamedAnswer answer;
    private final Duration silence;
    private final BlockingQueue<String> messages = new ArrayBlockingQueue<>(MOST_UNREAD);
    private volatile String ending = ENDED;
    private volatile boolean closed;

    /** The feed has ended. The message gives the reason and is read after the name of the server. */
    public static final class EndedException extends RuntimeException {
        EndedException(String why) {
            super(why, null, false, false);
        }

        /**
         * Returns the failure of a command that needs the feed, with what happens to the runs and what to do.
         *
         * @param command reads the feed again, e.g. {@code watch}
         */
        public CommandFailure failure(Api api, RootCommand root, String command) {
            return CommandFailure.unreachable("the server at " + api.location().url() + " " + getMessage()
                    + "\nif the server has ended, the agents of its open runs continue, and the next server adopts them"
                    + "\nstart a server with: " + root.hint("serve") + "\nthen read on with: " + root.hint(command));
        }
    }

    private FeedReader(StreamedAnswer answer, Duration silence) {
        this.answer = answer;
        this.silence = silence;
    }

    /**
     * Connects and waits for the first message, the snapshot. All later changes then arrive as events.
     *
     * @param run receive only this run's events; empty for all runs
     * @param since the cursor to replay from
     */
    public static FeedReader open(Api api, Optional<String> run, Optional<String> since) {
        return open(api, run, since, SILENCE);
    }

    /** @param silence after this long without data the server is treated as dead */
    static FeedReader open(Api api, Optional<String> run, Optional<String> since, Duration silence) {
        String runs = run.map(id -> "runs=" + Api.encoded(id)).orElse("");
        String query =
                runs + since.map(cursor -> "&since=" + Api.encoded(cursor)).orElse("");
        FeedReader reader = new FeedReader(api.stream("/stream?" + query, api.patience(), silence), silence);
        // A daemon thread: it may block in a read until the server sends something, and closing a connection waits for
        // its reader.
        Session.daemon("loopkeeper-feed", reader::read);
        return reader;
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !closed; line = lines.readLine()) {
                if (line.startsWith(DATA)) {
                    messages.put(line.substring(DATA.length()));
                }
            }
        } catch (SocketTimeoutException silent) {
            ending = "has not answered for " + silence.toSeconds() + " s";
        } catch (IOException cut) {
            ending = ENDED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    private void end() {
        try {
            messages.put(END);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the next message; empty if none arrives in time. Fails with {@link EndedException} after the last one.
     */
    public Optional<Document<FeedMessage>> next(Duration patience) {
        try {
            String text = closed ? END : messages.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (text == null) {
                return Optional.empty();
            }
            if (text.equals(END)) {
                closed = true;
                throw new EndedException(ending);
            }
            return Optional.of(new Document<>(Json.MAPPER.readTree(text), FeedMessage.class));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EndedException(ENDED);
        } catch (JsonProcessingException broken) {
            throw CommandFailure.unreachable("the server's feed is not JSON; check --server");
        }
    }

    @Override
    public void close() {
        closed = true;
        messages.clear();
        boolean unused = messages.offer(END);
    }
}
