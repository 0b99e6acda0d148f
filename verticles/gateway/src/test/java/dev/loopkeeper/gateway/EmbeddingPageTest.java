package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Loopkeeper;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of {@code docs/embedding.md} compiles as it stands in the page, and its gateway serves. */
class EmbeddingPageTest {
    private static final Path PAGE = Path.of("../../docs/embedding.md");
    private static final Pattern BLOCK = Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @Test
    void thePageCompilesAndItsGatewayServes() throws Exception {
        Path data = folder.resolve("data");
        List<String> urls = new CopyOnWriteArrayList<>();
        Vertx vertx = Vertx.vertx();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {compiledPage().toUri().toURL()}, getClass().getClassLoader())) {
            var serve = loader.loadClass("Yours")
                    .getDeclaredMethod("serve", Vertx.class, Path.class, int.class, Consumer.class);
            serve.setAccessible(true);
            Consumer<String> person = urls::add;
            Object started = serve.invoke(null, vertx, data, 0, person);
            Object keeper = ((Future<?>) started).await(60, TimeUnit.SECONDS);

            assertThat(keeper).isInstanceOf(Loopkeeper.class);
            HttpRequest live = HttpRequest.newBuilder(URI.create(urls.get(0) + "/api/v1/runs"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(live, BodyHandlers.ofString())
                            .body())
                    .contains("\"runs\"");
        } finally {
            vertx.close().await(60, TimeUnit.SECONDS);
        }
    }

    private Path compiledPage() throws Exception {
        List<String> blocks = BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
        String all =
                blocks.stream().filter(block -> block.startsWith("import ")).collect(Collectors.joining())
                        + blocks.stream()
                                .filter(block -> !block.startsWith("import "))
                                .collect(Collectors.joining("\n", "class Yours {\n", "}\n"));
        Path source = Files.writeString(folder.resolve("Yours.java"), all);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        said,
                        said,
                        "-d",
                        classes.toString(),
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(exit).as(said.toString(StandardCharsets.UTF_8)).isZero();
        return classes;
    }
}
