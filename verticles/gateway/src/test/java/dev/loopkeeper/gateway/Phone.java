package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.access.GatewayOptions;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server with a public URL, and the phone that receives its messages. */
final class Phone implements AutoCloseable {
    private static final String LINK = "https://loops.example/answer#";

    final Keeper keeper;
    final WebApi api;
    /** The member of a manifest that sends messages to this phone. */
    final String notify;

    private final List<String> links = new CopyOnWriteArrayList<>();

    /** @param folder a fresh one */
    Phone(Path folder) throws IOException {
        Path data = folder.resolve("data");
        keeper = new Keeper(
                data,
                folder.resolve("work"),
                LoopkeeperOptions.of(data)
                        .maxRuns(1)
                        .publicUrl("https://loops.example")
                        .with(new Gateway(GatewayOptions.loopback(0, data))));
        api = WebApi.of(keeper);
        HttpServer topic = Keeper.await(keeper.vertx()
                .createHttpServer()
                .requestHandler(request -> {
                    links.add(request.getHeader("Click"));
                    request.response().end();
                })
                .listen(0, "127.0.0.1"));
        notify = ", notify: [{webhook: 'http://127.0.0.1:" + topic.actualPort() + "/topic', format: ntfy}]";
    }

    /** Returns the token of the only link, once it has arrived. */
    String token() {
        await().untilAsserted(() -> assertThat(links).hasSize(1));
        assertThat(links.get(0)).startsWith(LINK);
        return links.get(0).substring(LINK.length());
    }

    @Override
    public void close() {
        keeper.close();
    }
}
