package dev.loopkeeper.gateway;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** A program that follows a feed and drops what it receives; prints a line when it has received something. */
final class PlainClient implements WebSocket.Listener {
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final AtomicBoolean printed = new AtomicBoolean();

    private PlainClient() {}

    public static void main(String... address) {
        PlainClient client = new PlainClient();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address[0]), client)
                .join();
        client.over.join();
        socket.abort();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        if (!printed.getAndSet(true)) {
            System.out.println("told");
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        over.complete(null);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable cut) {
        over.completeExceptionally(cut);
    }
}
