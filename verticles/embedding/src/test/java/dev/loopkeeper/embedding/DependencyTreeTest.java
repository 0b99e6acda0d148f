package dev.loopkeeper.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What who depends on the engine alone gets with it, by Maven's own resolution without what the tests need. */
class DependencyTreeTest {
    private static final Path CLASSPATH = Path.of("target/runtime.classpath");
    private static final List<String> EXPECTED = List.of(
            "jackson-",
            "error_prone_annotations",
            "netty-",
            "vertx-",
            "jna",
            "re2j",
            "slf4j-api",
            "sqlite-jdbc",
            "snakeyaml");

    @BeforeEach
    void mavenHasWrittenIt() {
        assertThat(CLASSPATH)
                .as("what Maven resolves; mvn -pl verticles/embedding -am test writes it")
                .exists();
    }

    @Test
    void anEmbedderGetsTheEngineAndLittleElse() throws IOException {
        // By their names alone: where the repository and this checkout lie is no process's business.
        List<String> libraries = Stream.of(Files.readString(CLASSPATH).strip().split(File.pathSeparator))
                .map(path -> Path.of(path).getFileName().toString())
                .filter(name -> name.endsWith(".jar") && !name.startsWith("loopkeeper-"))
                .map(name -> name.replaceAll("-[0-9].*", ""))
                .toList();

        assertThat(libraries)
                .as("among them no command line, web, metrics or logging backend")
                .allSatisfy(name -> assertThat(EXPECTED).anyMatch(name::startsWith));
        assertThat(EXPECTED)
                .as("nothing else is expected")
                .allSatisfy(expected -> assertThat(libraries).anyMatch(name -> name.startsWith(expected)));
        assertThat(libraries)
                .filteredOn(name -> name.startsWith("vertx-"))
                .containsExactlyInAnyOrder("vertx-core", "vertx-core-logging");
    }

    @Test
    void ofOursItGetsTheRuntimeAndTheEngine() throws IOException {
        assertThat(Files.readString(CLASSPATH).strip().split(File.pathSeparator))
                .filteredOn(path -> !path.endsWith(".jar")
                        || Path.of(path).getFileName().toString().startsWith("loopkeeper-"))
                .hasSize(2);
    }

    /** Else {@code mvn install}, with which an embedder begins, ends here: there is no jar to install. */
    @Test
    void whatHasNoJarIsNotInstalled() throws IOException {
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<skipIfEmpty>true</skipIfEmpty>")
                .contains("<maven.install.skip>true</maven.install.skip>")
                .contains("<maven.deploy.skip>true</maven.deploy.skip>");
    }
}
