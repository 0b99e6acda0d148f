package dev.loopkeeper.cli.session;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.client.HttpRequest;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Asks a server by TLS, which trusts what {@link ServerLocation#secured} says. */
final class SecureExchange implements Exchange {
    private static final int CONNECT_MILLIS = 5000;

    private final WebClient client;

    SecureExchange(Vertx vertx, ServerLocation location) {
        this.client = WebClient.create(
                vertx,
                location.secured(new WebClientOptions()
                        .setUserAgentEnabled(false)
                        .setFollowRedirects(false)
                        .setConnectTimeout(CONNECT_MILLIS)
                        .setDefaultHost(location.host())
                        .setDefaultPort(location.port())));
    }

    @Override
    public Reply send(String method, String path, Map<String, String> headers, String body, Duration patience) {
        HttpRequest<Buffer> request =
                client.request(HttpMethod.valueOf(method), path).timeout(patience.toMillis());
        headers.forEach(request::putHeader);
        HttpResponse<Buffer> answer = Session.await(request.sendBuffer(Buffer.buffer(body)), patience.plusSeconds(1));
        String text = answer.bodyAsString();
        return new Reply(
                answer.statusCode(), text == null ? "" : text, Optional.ofNullable(answer.getHeader("Location")));
    }
}
