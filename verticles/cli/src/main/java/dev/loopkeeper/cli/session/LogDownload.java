package dev.loopkeeper.cli.session;

import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Writes a step's log while it arrives, no faster than it is read; blocks until the server has sent the end. */
final class LogDownload {
    private static final int OK = 200;
    private static final Buffer END = Buffer.buffer();

    private final BlockingQueue<Buffer> parts = new LinkedBlockingQueue<>();
    private final Api api;

    private LogDownload(Api api) {
        this.api = api;
    }

    static void to(LogSink sink, Api api, String runId, String stepId, String stream, LogSelection wish) {
        String path = "/api/v1" + Api.run(runId) + "/steps/" + Api.encoded(stepId) + "/log?stream=" + stream
                + "&follow=" + wish.follow()
                + (wish.tail().isPresent() ? "&tail=" + wish.tail().getAsLong() : "");
        HttpClient client = api.vertx().createHttpClient(api.location().secured(new HttpClientOptions()));
        try {
            new LogDownload(api).run(client, path, stream, sink);
        } finally {
            client.close().onFailure(alreadyGone -> sink.accept(new byte[0]));
        }
    }

    private void run(HttpClient client, String path, String stream, LogSink sink) {
        HttpClientResponse response = answer(client, path);
        String dialect = response.getHeader("Loopkeeper-Output");
        if (dialect != null && stream.equals("stdout")) {
            sink.reads(dialect);
        }
        try {
            for (Buffer part = parts.take(); part != END; part = parts.take()) {
                sink.accept(part.getBytes());
                response.fetch(1);
            }
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpClientResponse answer(HttpClient client, String path) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(api.location().host())
                .setPort(api.location().port())
                .setURI(path);
        api.location().token().ifPresent(token -> options.addHeader("Authorization", "Bearer " + token));
        try {
            // Nested, so that the handlers stand before the event loop turns to the first part of the answer.
            return Session.await(
                    client.request(options).compose(request -> request.send().compose(this::accepted)));
        } catch (CommandFailure refused) {
            throw refused;
        } catch (Exception unanswered) {
            throw api.unreachable(unanswered);
        }
    }

    private Future<HttpClientResponse> accepted(HttpClientResponse response) {
        if (response.statusCode() != OK) {
            return response.body().compose(body -> Future.failedFuture(refusal(response.statusCode(), body)));
        }
        response.handler(parts::add)
                .endHandler(ended -> parts.add(END))
                .exceptionHandler(cut -> parts.add(END))
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
