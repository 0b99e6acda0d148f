package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.notification.Post;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.Sha256;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts events to webhooks. Only scheme, host and port of a URL are logged: its path may be a secret. Used from one
 * context only.
 */
final class Webhook {
    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
    /** Bytes of an answer that are read, and characters of it that are recorded. */
    private static final int MOST_READ = 4096;

    private static final int MOST_SAID = 120;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpClient client;
    private final Map<String, String> environment;
    private final Duration timeout;
    private final Set<String> missed = new HashSet<>();
    private final Holds holds = new Holds(Instants::now);

    /** @param environment variables that hold secrets */
    Webhook(Vertx vertx, Map<String, String> environment, Duration timeout) {
        // A broken connection is reported as the failure of its request.
        this.client = vertx.httpClientBuilder()
                .withConnectHandler(connection ->
                        connection.exceptionHandler(cause -> LOG.debug("a connection was lost: {}", cause.toString())))
                .build();
        this.environment = environment;
        this.timeout = timeout;
    }

    /** Sends one request; never fails, and always has an outcome soon after the timeout. */
    Future<DeliveryOutcome> post(NotifySpec receiver, Message message, Post post) {
        Optional<String> problem = Endpoint.problem(receiver, environment);
        if (problem.isPresent()) {
            return Future.succeededFuture(unset(message.event().runId(), problem.get()));
        }
        Endpoint endpoint = Endpoint.of(receiver, environment);
        Optional<Duration> wait = holds.left(endpoint.url());
        if (wait.isPresent()) {
            return Future.succeededFuture(
                    new DeliveryOutcome.Failed(endpoint.label() + " accepts no requests yet", wait.get()));
        }
        Buffer body = Buffer.buffer(post.body());
        Future<HttpClientRequest> opening = client.request(request(endpoint, message, post, body));
        // The client's own timeout restarts with every byte received.
        return opening.compose(opened -> opened.send(body))
                .compose(Webhook::answer)
                .timeout(timeout.toMillis() + 1000, TimeUnit.MILLISECONDS)
                .onFailure(cause -> opening.onSuccess(Webhook::hangUp))
                .map(answer -> judge(endpoint, answer))
                .otherwise(cause ->
                        new DeliveryOutcome.Failed(endpoint.label() + ": " + endpoint.hide(reason(opening, cause))));
    }

    private RequestOptions request(Endpoint endpoint, Message message, Post post, Buffer body) {
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(endpoint.url())
                .setFollowRedirects(false)
                .setTimeout(timeout.toMillis())
                .putHeader("User-Agent", "loopkeeper")
                .putHeader("X-Loopkeeper-Event", message.event().type())
                .putHeader("X-Loopkeeper-Delivery", message.delivery());
        endpoint.secret().ifPresent(key -> request.putHeader("X-Loopkeeper-Signature", signature(key, body)));
        post.headers().forEach(request::putHeader);
        endpoint.headers().forEach(request::putHeader);
        return request;
    }

    /** Closes the connection: an endless response would occupy one of the few connections per host. */
    private static void hangUp(HttpClientRequest opened) {
        opened.reset().onFailure(over -> LOG.debug("a connection is closed already: {}", over.toString()));
    }

    /**
     * A complete response.
     *
     * @param body its first part
     */
    private record Answer(int status, String retryAfter, String body) {}

    private static Future<Answer> answer(HttpClientResponse response) {
        Buffer body = Buffer.buffer();
        return response.handler(part -> body.appendBuffer(
                        part, 0, Math.min(part.length(), MOST_READ - Math.min(MOST_READ, body.length()))))
                .end()
                .map(over -> new Answer(
                        response.statusCode(), response.getHeader(HttpHeaders.RETRY_AFTER), body.toString()));
    }

    private DeliveryOutcome unset(String runId, String problem) {
        if (missed.add(problem)) {
            LOG.warn("run {}: {}; set the variable for the Loopkeeper process", runId, problem);
        }
        return new DeliveryOutcome.Unset(problem);
    }

    private DeliveryOutcome judge(Endpoint endpoint, Answer answer) {
        int status = answer.status();
        String text = endpoint.label() + " answers with HTTP status " + status;
        if (status >= 200 && status < 300) {
            return new DeliveryOutcome.Delivered(text);
        }
        if (status < 500 && status != REQUEST_TIMEOUT && status != TOO_MANY_REQUESTS) {
            String said = endpoint.hide(OneLine.of(answer.body(), MOST_SAID));
            return new DeliveryOutcome.Undeliverable(said.isEmpty() ? text : text + ": " + said);
        }
        Duration wait = RetryAfter.of(answer.retryAfter(), answer.body(), Instants.now())
                .orElse(Duration.ZERO);
        holds.hold(endpoint.url(), wait);
        return new DeliveryOutcome.Failed(text, wait);
    }

    private String reason(Future<?> opening, Throwable cause) {
        if (cause instanceof TimeoutException) {
            return (opening.succeeded() ? "no complete answer" : "no connection") + " within " + timeout.toSeconds()
                    + " s";
        }
        // The text of the cause is left out, since it may repeat the URL.
        LOG.debug("a post has failed: {}", cause.getClass().getName());
        return PostFailure.of(cause);
    }

    /** Signs exactly the bytes that are sent. */
    static String signature(String secret, Buffer body) {
        return "sha256=" + HexFormat.of().formatHex(Sha256.hmac(secret, body.getBytes()));
    }

    void close() {
        client.close();
    }
}
