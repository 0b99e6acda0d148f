package dev.loopkeeper.cli.session;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes an answer while it arrives, no faster than it is used; blocks until the server has sent the end. */
final class Download {
    private static final int OK = 200;
    private static final Logger LOG = LoggerFactory.getLogger(Download.class);
    private static final Buffer END = Buffer.buffer();
    private static final Buffer CUT = Buffer.buffer();

    private final BlockingQueue<Buffer> parts = new LinkedBlockingQueue<>();
    private final Api api;

    private Download(Api api) {
        this.api = api;
    }

    /** All of what this path answers; an answer that is cut off ends the command. */
    static void whole(Api api, String path, Consumer<byte[]> sink) {
        whole(api, path, Session.PATIENCE, sink);
    }

    /** The same, where the server needs longer than usual to begin. */
    static void whole(Api api, String path, Duration patience, Consumer<byte[]> sink) {
        if (!take(api, path, patience, head -> {}, sink)) {
            throw CommandFailure.unreachable("the server at " + api.location().url()
                    + " did not send all of it; what was written is not the whole");
        }
    }

    /**
     * Whatever comes of what this path answers, e.g. {@code /runs/x/diff}.
     *
     * @param head is given the answer before its first byte
     * @return whether it came to its end
     */
    @CanIgnoreReturnValue
    static boolean take(Api api, String path, Consumer<HttpClientResponse> head, Consumer<byte[]> sink) {
        return take(api, path, Session.PATIENCE, head, sink);
    }

    private static boolean take(
            Api api, String path, Duration patience, Consumer<HttpClientResponse> head, Consumer<byte[]> sink) {
        HttpClient client = api.vertx().createHttpClient(api.location().secured(new HttpClientOptions()));
        try {
            return new Download(api).run(client, "/api/v1" + path, patience, head, sink);
        } finally {
            client.close().onFailure(alreadyGone -> LOG.debug("a client was gone already", alreadyGone));
        }
    }

    private boolean run(
            HttpClient client,
            String path,
            Duration patience,
            Consumer<HttpClientResponse> head,
            Consumer<byte[]> sink) {
        HttpClientResponse response = answer(client, path, patience);
        head.accept(response);
        try {
            Buffer part = parts.take();
            while (part != END && part != CUT) {
                sink.accept(part.getBytes());
                response.fetch(1);
                part = parts.take();
            }
            return part == END;
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private HttpClientResponse answer(HttpClient client, String path, Duration patience) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(api.location().host())
                .setPort(api.location().port())
                .setURI(path);
        api.location().token().ifPresent(token -> options.addHeader("Authorization", "Bearer " + token));
        try {
            // Nested, so that the handlers stand before the event loop turns to the first part of the answer.
            Future<HttpClientResponse> answer =
                    client.request(options).compose(request -> request.send().compose(this::accepted));
            return api.awaitLong(answer.toCompletionStage().toCompletableFuture(), patience);
        } catch (CommandFailure refused) {
            throw refused;
        } catch (TimeoutException late) {
            throw api.silent(late);
        } catch (Exception unanswered) {
            throw api.unreachable(unanswered);
        }
    }

    private Future<HttpClientResponse> accepted(HttpClientResponse response) {
        if (response.statusCode() != OK) {
            api.refuseRedirect(response.statusCode(), Optional.ofNullable(response.getHeader("Location")));
            return response.body().compose(body -> Future.failedFuture(refusal(response.statusCode(), body)));
        }
        response.handler(parts::add)
                .endHandler(ended -> parts.add(END))
                .exceptionHandler(cut -> parts.add(CUT))
                .pause()
                .fetch(1);
        return Future.succeededFuture(response);
    }

    private static CommandFailure refusal(int status, Buffer body) {
        try {
            return ApiProblem.failure(status, Json.MAPPER.readTree(body.getBytes()));
        } catch (IOException notJson) {
            return CommandFailure.unreachable("the server refused (HTTP " + status + ")");
        }
    }
}
