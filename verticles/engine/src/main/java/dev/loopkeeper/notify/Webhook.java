package dev.loopkeeper.notify;

import dev.loopkeeper.manifest.Authority;
import dev.loopkeeper.manifest.NotifySpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts events to webhooks. Only scheme, host and port of a URL are logged: its path may be a secret. Used from one
 * context only.
 */
final class Webhook {
    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
    private static final String ALGORITHM = "HmacSHA256";
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpClient client;
    private final Map<String, String> environment;
    private final Duration timeout;
    private final Set<String> missed = new HashSet<>();

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
    Future<DeliveryOutcome> post(NotifySpec receiver, Message message) {
        String address = receiver.webhook().orElseThrow();
        Optional<String> secret = receiver.secretEnv().flatMap(this::secret);
        if (receiver.secretEnv().isPresent() && secret.isEmpty()) {
            return Future.succeededFuture(
                    new DeliveryOutcome.Undeliverable(unset(message.event().runId(), receiver)));
        }
        Buffer body = Buffer.buffer(message.body().toString());
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(address)
                .setFollowRedirects(false)
                .setTimeout(timeout.toMillis())
                .putHeader("User-Agent", "loopkeeper")
                .putHeader("Content-Type", "application/json")
                .putHeader("X-Loopkeeper-Event", message.event().type())
                .putHeader("X-Loopkeeper-Delivery", message.delivery());
        secret.ifPresent(key -> request.putHeader("X-Loopkeeper-Signature", signature(key, body)));
        Future<HttpClientRequest> opening = client.request(request);
        // The client's own timeout restarts with every byte received.
        return opening.compose(opened -> opened.send(body))
                .compose(Webhook::status)
                .timeout(timeout.toMillis() + 1000, TimeUnit.MILLISECONDS)
                .onFailure(cause -> opening.onSuccess(Webhook::hangUp))
                .map(status -> judge(address, status))
                .otherwise(cause -> new DeliveryOutcome.Failed(place(address) + ": " + reason(opening, cause)));
    }

    /** Closes the connection: an endless response would occupy one of the few connections per host. */
    private static void hangUp(HttpClientRequest opened) {
        opened.reset().onFailure(over -> LOG.debug("a connection is closed already: {}", over.toString()));
    }

    /** Returns the status once the complete response has arrived; its body is discarded. */
    private static Future<Integer> status(HttpClientResponse response) {
        return response.handler(dropped -> {}).end().map(over -> response.statusCode());
    }

    private Optional<String> secret(String variable) {
        return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isEmpty());
    }

    private String unset(String runId, NotifySpec receiver) {
        String variable = receiver.secretEnv().orElseThrow();
        String text = "environment variable " + variable
                + " is not set, so the notification cannot be signed and is not sent";
        if (missed.add(variable)) {
            LOG.warn("run {}: {}; set the variable for the Loopkeeper process", runId, text);
        }
        return text;
    }

    private static DeliveryOutcome judge(String address, int status) {
        if (status >= 200 && status < 300) {
            return DeliveryOutcome.DELIVERED;
        }
        String text = place(address) + " answers with HTTP status " + status;
        boolean mayChange = status >= 500 || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS;
        return mayChange ? new DeliveryOutcome.Failed(text) : new DeliveryOutcome.Undeliverable(text);
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

    /** Returns the URL without the parts that may be secret. */
    static String place(String address) {
        URI uri = URI.create(address);
        return uri.getScheme() + "://" + Authority.of(uri).map(Authority::text).orElse("");
    }

    /** Signs exactly the bytes that are sent. */
    static String signature(String secret, Buffer body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes()));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    void close() {
        client.close();
    }
}
