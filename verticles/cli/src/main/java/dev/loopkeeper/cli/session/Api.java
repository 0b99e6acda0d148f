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
import java.util.concurrent.FutureTask;
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
        return send("GET", run(runId), Optional.empty(), Map.of(), patience()).status() != NOT_FOUND;
    }

    public <V extends Record> Document<V> get(String path, Class<V> kind) {
        HttpExchange.Reply reply = send("GET", path, Optional.empty(), Map.of(), patience());
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
        return answer(send(method, path, body, Map.of(), patience()));
    }

    /** Reads a document that is not JSON. */
    public String text(String path) {
        HttpExchange.Reply reply = send("GET", path, Optional.empty(), Map.of(), patience());
        if (reply.status() >= FIRST_ERROR) {
            throw ApiProblem.failure(reply.status(), parsed(reply.status(), reply.body()));
        }
        return reply.body();
    }

    public <V extends Record> Document<V> post(String path, JsonNode body, Class<V> kind) {
        return postPatiently(path, body, patience(), kind);
    }

    /** Submits a run. The same key again returns the run that was created first. */
    public Document<Run> submit(JsonNode body, String idempotencyKey) {
        Map<String, String> key = Map.of("Idempotency-Key", idempotencyKey);
        return new Document<>(answer(send("POST", "/runs", Optional.of(body), key, patience())), Run.class);
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
        return new Document<>(answer(send("POST", path, Optional.of(body), Map.of(), patience)), kind);
    }

    private HttpExchange.Reply send(
            String method, String path, Optional<JsonNode> body, Map<String, String> more, Duration patience) {
        Map<String, String> headers = headers(more);
        body.ifPresent(json -> headers.put("Content-Type", "application/json"));
        String text = body.map(JsonNode::toString).orElse("");
        Callable<HttpExchange.Reply> request = () -> exchange.send(method, BASE + path, headers, text, patience);
        HttpExchange.Reply reply;
        try {
            reply = patience.compareTo(this.patience) <= 0 ? request.call() : awaitLong(request, patience);
        } catch (CommandFailure | TimeoutException late) {
            throw silent(late);
        } catch (Exception unanswered) {
            throw unreachable(unanswered);
        }
        refuseRedirect(reply.status(), reply.location());
        return reply;
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
            StreamedAnswer answer = awaitLong(() -> exchange.stream(BASE + path, headers(Map.of()), silence), patience);
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

    /**
     * Sends a blocking request on a daemon thread, which does not keep this process alive, and waits for its answer as
     * {@link LongAnswer#await} does.
     */
    private <T> T awaitLong(Callable<T> request, Duration most) throws Exception {
        FutureTask<T> answer = new FutureTask<>(request);
        Session.daemon("loopkeeper-asking", answer);
        return new LongAnswer(exchange::requestSign, patience).await(answer, most);
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

    private JsonNode answer(HttpExchange.Reply reply) {
        JsonNode document = parsed(reply.status(), reply.body());
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

    private JsonNode parsed(int status, String text) {
        try {
            return text.isBlank() ? Json.MAPPER.createObjectNode() : Json.MAPPER.readTree(text);
        } catch (JsonProcessingException notJson) {
            throw noLoopkeeper(status);
        }
    }
}
