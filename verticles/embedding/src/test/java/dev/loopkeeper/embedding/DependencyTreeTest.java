package dev.loopkeeper.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What who depends on the engine alone gets with it, by Maven's own resolution without what the tests need. */
class DependencyTreeTest {
    private static final Path CLASSPATH = Path.of("target/runtime.classpath");

    @Test
    void anEmbedderGetsTheEngineAndLittleElse() throws IOException {
        assumeTrue(Files.exists(CLASSPATH), "written by Maven");
        List<String> paths = Stream.of(Files.readString(CLASSPATH).strip().split(File.pathSeparator))
                .toList();

        assertThat(paths).as("no tests and no tools").noneMatch(path -> path.contains("junit"));
        assertThat(paths)
                .noneMatch(path -> path.contains("picocli"))
                .noneMatch(path -> path.contains("logback"))
                .noneMatch(path -> path.contains("prometheus"))
                .noneMatch(path -> path.contains("micrometer"))
                .noneMatch(path -> path.contains("vertx-web"))
                .noneMatch(path -> path.contains("/loopkeeper-gateway/") || path.contains("/verticles/gateway/"));
        assertThat(paths.stream()
                        .filter(path -> path.endsWith(".jar") && !path.contains("loopkeeper-"))
                        .map(DependencyTreeTest::group))
                .as("groups of libraries")
                .containsOnly(
                        "com/fasterxml/jackson",
                        "com/google/errorprone",
                        "io/netty",
                        "io/vertx",
                        "net/java/dev/jna",
                        "org/slf4j",
                        "org/xerial",
                        "org/yaml");
        assertThat(paths.stream()
                        .filter(path -> path.contains("io/vertx"))
                        .map(path -> Path.of(path).getFileName().toString().replaceAll("-[0-9].*", "")))
                .containsExactlyInAnyOrder("vertx-core", "vertx-core-logging");
    }

    /** E.g. {@code io/netty} of {@code .../repository/io/netty/netty-common/4.2/netty-common-4.2.jar}. */
    private static String group(String path) {
        Path version = Path.of(path).getParent();
        Path group = version.getParent().getParent();
        String text = group.toString();
        int repository = text.lastIndexOf("/repository/");
        String own = text.substring(repository + "/repository/".length());
        return own.startsWith("com/fasterxml/jackson") ? "com/fasterxml/jackson" : own;
    }
}
