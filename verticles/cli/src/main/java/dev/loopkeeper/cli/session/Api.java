package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.view.Run;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;

/**
 * Calls the HTTP API of one server. Its methods block. If the server refuses a request they throw a
 * {@link CommandFailure} with the server's reason.
 */
public final class Api {
    private static final String BASE = "/api/v1";
    /** Time that an answer may take by default. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The failures of a request that was never sent. */
    private static final List<Class<? extends IOException>> NOT_CONNECTED = List.of(
            ConnectException.class,
            NoRouteToHostException.class,
            UnknownHostException.class,
            SocketTimeoutException.class,
            SSLHandshakeException.class);

    private static final int MOST_OF_PROBLEM = 1 << 20;
    private static final int OK = 200;
    private static final int FIRST_REDIRECT = 300;
    private static final int FIRST_ERROR = 400;
    private static final int NOT_FOUND = 404;

    private final Session session;
    private final ServerLocation location;
    private final HttpExchange exchange;
    private final Duration patience;
    private final Deadline deadline;

    Api(Session session, ServerLocation location) {
        this(session, location, new HttpExchange(location), PATIENCE, Deadline.never());
    }

    private Api(Session session, ServerLocation location, HttpExchange exchange, Duration patience, Deadline deadline) {
        this.session = session;
        this.location = location;
        this.exchange = exchange;
        this.patience = patience;
        this.deadline = deadline;
    }

    /** Returns a client of the same server that waits this long for each answer. */
    public Api within(Duration other) {
        return new Api(session, location, exchange, other, deadline);
    }

    /** Returns a client of the same server that stops waiting for answers shortly after this deadline. */
    public Api until(Deadline other) {
        return new Api(session, location, exchange, patience, other);
    }

    /** Returns how long an answer may take if it is requested now. */
    public Duration patience() {
        return deadline.forAnswer(patience);
    }

    public ServerLocation location() {
        return location;
    }

    /** Returns the path of one run, e.g. {@code /runs/demo-1}. */
    public static String run(String runId) {
        return "/runs/" + encoded(runId);
    }

    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Reads the current state of this run; an unknown run ends the command. */
    public Document<Run> look(String runId) {
        return get(run(runId), Run.class);
    }

    /**
     * Returns whether the server knows this run. Reports any other refusal as known, so that the next request reports
     * it.
     */
    boolean knows(String runId) {
        Exchange.Reply reply = send("GET", run(runId), Map.of(), "", patience());
        refuseRedirect(reply.status(), reply.location());
        return reply.status() != NOT_FOUND;
    }

    public <V extends Record> Document<V> get(String path, Class<V> kind) {
        Exchange.Reply reply = send("GET", path, Map.of(), "", patience());
        JsonNode document = answer(reply);
        RecordComponent first = kind.getRecordComponents()[0];
        // The answer of another kind of server would look like an empty list or a run without a name.
        if (first.getType() != Optional.class && !document.has(first.getName())) {
            throw noLoopkeeper(reply.status());
        }
        return new Document<>(document, kind);
    }

    /** Sends a request of any method whose answer is a JSON document. */
    public JsonNode call(String method, String path, Optional<JsonNode> body) {
        Map<String, String> json = body.isPresent() ? Map.of("Content-Type", "application/json") : Map.of();
        return answer(send(method, path, json, body.map(JsonNode::toString).orElse(""), patience()));
    }

    /** Reads a document that is not JSON. */
    public String text(String path) {
        Exchange.Reply reply = send("GET", path, Map.of(), "", patience());
        if (reply.status() >= FIRST_ERROR) {
            throw ApiProblem.failure(reply.status(), parsed(reply));
        }
        refuseRedirect(reply.status(), reply.location());
        return reply.body();
    }

    public <V extends Record> Document<V> post(String path, JsonNode body, Class<V> kind) {
        return postPatiently(path, body, patience(), kind);
    }

    /** Submits a run. The same key again returns the run that was created first. */
    public Document<Run> submit(JsonNode body, String idempotencyKey) {
        return new Document<>(
                answer(posted("/runs", body, Map.of("Idempotency-Key", idempotencyKey), patience())), Run.class);
    }

    /**
     * Ends this run. The answer arrives when the run has ended, or after {@code waiting} at the latest.
     *
     * @param operation {@code stop} or {@code end}
     */
    public Document<Run> end(String runId, String operation, JsonNode body, Duration waiting) {
        String query = waiting.isZero() ? "" : "?wait=" + waiting.toMillis() + "ms";
        return postPatiently(
                run(runId) + "/" + operation + query, body, patience().plus(waiting), Run.class);
    }

    /** Sends a request whose answer arrives only when its work is done. */
    public <V extends Record> Document<V> postPatiently(String path, JsonNode body, Duration patience, Class<V> kind) {
        return new Document<>(answer(posted(path, body, Map.of(), patience)), kind);
    }

    /** Replaces what this path names. */
    public <V extends Record> Document<V> put(String path, JsonNode body, Class<V> kind) {
        Map<String, String> json = Map.of("Content-Type", "application/json");
        return new Document<>(answer(send("PUT", path, json, body.toString(), patience())), kind);
    }

    private Exchange.Reply posted(String path, JsonNode body, Map<String, String> more, Duration patience) {
        Map<String, String> headers = new HashMap<>(more);
        headers.put("Content-Type", "application/json");
        return send("POST", path, headers, body.toString(), patience);
    }

    private Exchange.Reply send(String method, String path, Map<String, String> more, String body, Duration patience) {
        Map<String, String> headers = headers(more);
        try {
            return patience.compareTo(this.patience) <= 0
                    ? exchange.send(method, BASE + path, headers, body, patience)
                    : awaitLong(sending(() -> exchange.send(method, BASE + path, headers, body, patience)), patience);
        } catch (CommandFailure | TimeoutException late) {
            throw silent(late);
        } catch (Exception unanswered) {
            throw unreachable(unanswered);
        }
    }

    private Map<String, String> headers(Map<String, String> more) {
        Map<String, String> headers = new HashMap<>(more);
        headers.put("User-Agent", "loopkeeper");
        TraceContext.of(session.environment()).ifPresent(trace -> {
            headers.put(TraceContext.PARENT, trace.traceparent());
            trace.tracestate().ifPresent(state -> headers.put(TraceContext.STATE, state));
        });
        location.token().ifPresent(token -> headers.put("Authorization", "Bearer " + token));
        return headers;
    }

    /**
     * Reads an answer while it arrives; a status other than 200 ends the command.
     *
     * @param patience how long the first byte may take
     * @param silence how long the server may send nothing afterwards; zero means no limit
     */
    public StreamedAnswer stream(String path, Duration patience, Duration silence) {
        try {
            StreamedAnswer answer =
                    awaitLong(sending(() -> exchange.stream(BASE + path, headers(Map.of()), silence)), patience);
            if (answer.status() != OK) {
                refuseRedirect(answer.status(), answer.header("Location"));
                String text = new String(answer.body().readNBytes(MOST_OF_PROBLEM), StandardCharsets.UTF_8);
                throw ApiProblem.failure(answer.status(), parsed(answer.status(), text));
            }
            return answer;
        } catch (CommandFailure refused) {
            throw refused;
        } catch (TimeoutException late) {
            throw silent(late);
        } catch (Exception unanswered) {
            throw unreachable(unanswered);
        }
    }

    /** Passes the complete answer of this path to {@code sink} in parts; a truncated answer ends the command. */
    void download(String path, Duration patience, Consumer<byte[]> sink) {
        if (!stream(path, patience, Duration.ZERO).to(sink)) {
            throw CommandFailure.unreachable("the server at " + location.url()
                    + " stopped before the end of the answer; the output is incomplete");
        }
    }

    /** Waits for an answer that may take longer than usual; see {@link LongAnswer#await}. */
    private <T> T awaitLong(CompletableFuture<T> answer, Duration most) throws Exception {
        return new LongAnswer(exchange, patience).await(answer, most);
    }

    /** Runs a blocking request on a daemon thread, which does not keep this process alive. */
    private static <T> CompletableFuture<T> sending(Callable<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread asking = new Thread(
                () -> {
                    try {
                        answer.complete(question.call());
                    } catch (Exception | Error unanswered) {
                        answer.completeExceptionally(unanswered);
                    }
                },
                "loopkeeper-asking");
        asking.setDaemon(true);
        asking.start();
        return answer;
    }

    /** Returns the failure for a server that did not answer in time. */
    private ServerSilent silent(Exception late) {
        return new ServerSilent("the server at " + location.url() + " does not answer: " + late.getMessage() + "; "
                + session.whyMaybe(location));
    }

    /** Returns the failure for a server that cannot be reached. */
    private ServerGone unreachable(Throwable cause) {
        String message = "no server answers at " + location.url() + " ("
                + Words.oneLine(String.valueOf(cause.getMessage()))
                + "); check --server, or start one with: " + session.hint("serve");
        return new ServerGone(message, NOT_CONNECTED.stream().noneMatch(kind -> kind.isInstance(cause)));
    }

    private JsonNode answer(Exchange.Reply reply) {
        refuseRedirect(reply.status(), reply.location());
        JsonNode document = parsed(reply);
        if (reply.status() >= FIRST_ERROR) {
            throw ApiProblem.failure(reply.status(), document);
        }
        if (!document.isObject() || document.isEmpty()) {
            throw noLoopkeeper(reply.status());
        }
        return document;
    }

    /** Refuses a redirect. Loopkeeper never sends one, but a proxy in front of it does if it requires a sign-in. */
    private void refuseRedirect(int status, Optional<String> location) {
        if (status >= FIRST_REDIRECT && status < FIRST_ERROR) {
            throw CommandFailure.unreachable("the server at " + this.location.url() + " redirects to "
                    + location.map(Words::shown).orElse("somewhere else") + " (HTTP " + status
                    + "), as a proxy does that requires a sign-in; give --server the URL of Loopkeeper itself");
        }
    }

    private CommandFailure noLoopkeeper(int status) {
        return CommandFailure.unreachable(
                "the server at " + location.url() + " is not Loopkeeper (HTTP " + status + "); check --server");
    }

    private JsonNode parsed(Exchange.Reply reply) {
        return parsed(reply.status(), reply.body());
    }

    private JsonNode parsed(int status, String text) {
        try {
            return text.isBlank() ? Json.MAPPER.createObjectNode() : Json.MAPPER.readTree(text);
        } catch (JsonProcessingException notJson) {
            throw noLoopkeeper(status);
        }
    }
}
