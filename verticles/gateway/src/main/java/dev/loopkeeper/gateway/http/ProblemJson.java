package dev.loopkeeper.gateway.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.JsonProblem;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.termination.RefusalCode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes errors as {@code application/problem+json} documents, e.g.
 * {@code {"type":"urn:loopkeeper:problem:not-found","title":"Not Found","status":404,"detail":"...","code":"not-found"}}.
 * Unexpected failures are logged completely and sent without their text.
 */
public final class ProblemJson {
    /** Time for a client to read why its request is refused. */
    private static final long READ_MILLIS = 2000;

    static final String CONTENT_TYPE = "application/problem+json";

    private static final Logger LOG = LoggerFactory.getLogger(ProblemJson.class);
    private static final int BAD_REQUEST = 400;

    private ProblemJson() {}

    /** Handles the failure of a route; sends nothing if the client disconnected while it sent the body. */
    public static void answer(RoutingContext context) {
        Throwable cause = context.failure();
        if (cause instanceof HttpClosedException) {
            ClientGone.note(cause);
            return;
        }
        // The router fails a request without a Host header with its own status and exception.
        boolean ofRouter = cause instanceof VertxException && context.statusCode() == BAD_REQUEST;
        // Netty fails so on a malformed size of a chunk.
        boolean ofChunk =
                cause instanceof NumberFormatException && !context.request().isEnded();
        if (ofRouter || ofChunk) {
            write(context, ofStatus(BAD_REQUEST));
        } else {
            write(context, cause == null ? ofStatus(context.statusCode()) : of(cause));
        }
    }

    /** Answers a malformed request, or one whose head exceeds the limits, and closes its connection. */
    public static void refuse(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        int status = BAD_REQUEST;
        if (cause instanceof TooLongHttpLineException) {
            status = HttpResponseStatus.REQUEST_URI_TOO_LONG.code();
        } else if (cause instanceof TooLongHttpHeaderException) {
            status = HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE.code();
        }
        end(request.response().putHeader(HttpHeaders.CONNECTION, "close"), ofStatus(status))
                .eventually(request.connection()::close)
                .onFailure(ClientGone::note);
    }

    /** Answers with the problem for this failure, unless the response has begun. */
    public static void write(RoutingContext context, Throwable cause) {
        if (!(cause instanceof ClientGone)) {
            write(context, of(cause));
        }
    }

    private static void write(RoutingContext context, Problem problem) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            context.request().connection().close().onFailure(ClientGone::note);
            return;
        }
        if (!context.request().isEnded() && hasBody(context.request())) {
            // Discards the rest of a refused body while the client reads the answer.
            response.putHeader(HttpHeaders.CONNECTION, "close");
            context.vertx()
                    .setTimer(
                            READ_MILLIS,
                            read -> Connections.cut(context.request().connection()));
        }
        end(response, problem).onFailure(ClientGone::note);
    }

    /** A request without a body keeps its connection, even if it is answered before its end is read. */
    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) || (length != null && !"0".equals(length));
    }

    /** Ends a response that has not begun. */
    public static Future<Void> end(HttpServerResponse response, Problem problem) {
        if (problem.code() == RefusalCode.TOO_MANY_ANSWERS) {
            response.putHeader(HttpHeaders.RETRY_AFTER, "5");
        }
        return response.setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .end(document(problem).toString());
    }

    /** Returns the JSON document of a problem. */
    static ObjectNode document(Problem problem) {
        ObjectNode document = Json.MAPPER.valueToTree(problem.details());
        document.put("type", "urn:loopkeeper:problem:" + problem.code().wire());
        document.put("title", HttpResponseStatus.valueOf(problem.status()).reasonPhrase());
        document.put("status", problem.status());
        document.put("detail", problem.getMessage());
        document.put("code", problem.code().wire());
        return document;
    }

    /** Returns the problem that a failure means to a client. */
    static Problem of(Throwable cause) {
        if (cause instanceof Problem problem) {
            return problem;
        }
        if (cause instanceof JsonProblem request) {
            return ofRequest(request);
        }
        if (cause instanceof ReplyException reply) {
            return ofReply(reply);
        }
        if (cause instanceof HttpException http) {
            return ofStatus(http.getStatusCode());
        }
        if (cause instanceof StoreUnavailableException) {
            LOG.warn("a request failed: {}", cause.getMessage());
            return Problem.storeUnavailable();
        }
        if (cause instanceof CheckpointException unreadable) {
            LOG.error("a request failed: {}", unreadable.getMessage());
            return new Problem(RefusalCode.STORE_UNAVAILABLE, "a record cannot be read: " + unreadable.getMessage());
        }
        if (cause instanceof StoreException damaged && damaged.isOfDamagedRecord()) {
            LOG.error("a request failed: {}", damaged.getMessage());
            return new Problem(RefusalCode.STORE_UNAVAILABLE, damaged.getMessage());
        }
        LOG.error("a request failed", cause);
        if (cause instanceof StoreException) {
            return new Problem(RefusalCode.STORE_UNAVAILABLE, "the event store cannot be read; see the server's log");
        }
        return unexpected();
    }

    private static Problem ofRequest(JsonProblem request) {
        Map<String, Object> details = new LinkedHashMap<>();
        request.path().ifPresent(path -> details.put("path", path));
        request.suggestion().ifPresent(near -> details.put("suggestion", near));
        return Problem.invalid(request.getMessage(), details);
    }

    private static Problem ofReply(ReplyException reply) {
        if (reply.failureType() == ReplyFailure.TIMEOUT) {
            return new Problem(
                    RefusalCode.TIMEOUT, "no answer in time; the request may still take effect, so check the run");
        }
        if (reply.failureType() == ReplyFailure.NO_HANDLERS) {
            return new Problem(
                    RefusalCode.UNAVAILABLE, "the part of the server that handles this request is not running");
        }
        // The verticle has logged it with its stack trace.
        return unexpected();
    }

    private static Problem unexpected() {
        return new Problem(RefusalCode.INTERNAL_ERROR, "an unexpected error occurred; see the server's log");
    }

    private static Problem ofStatus(int status) {
        return switch (status) {
            case 400 -> Problem.invalid("the request is malformed");
            case 401 -> new Problem(RefusalCode.UNAUTHORIZED, "the caller is not authenticated");
            case 403 -> new Problem(RefusalCode.FORBIDDEN_SCOPE, "the caller may not do this");
            case 404 -> Problem.notFound("unknown path");
            case 405 -> new Problem(RefusalCode.METHOD_NOT_ALLOWED, "this path does not accept this method");
            case 408 -> new Problem(RefusalCode.REQUEST_TIMEOUT, "the body did not arrive in time; send it again");
            case 413 -> new Problem(RefusalCode.BODY_TOO_LARGE, "the request body is too large");
            case 414 -> new Problem(RefusalCode.URI_TOO_LONG, "the path and the query are too long");
            case 431 -> new Problem(RefusalCode.HEADERS_TOO_LARGE, "the headers of the request are too large");
            case 417 -> Problem.invalid("the header Expect may only be 100-continue");
            case 415 -> new Problem(RefusalCode.UNSUPPORTED_MEDIA_TYPE, "send the body as application/json");
            default ->
                status < 500 && status >= 400
                        ? Problem.invalid(HttpResponseStatus.valueOf(status).reasonPhrase())
                        : unexpected();
        };
    }
}
