package dev.loopkeeper.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.EventSubscription;
import dev.loopkeeper.embed.InvalidManifestException;
import dev.loopkeeper.embed.RunRefusedException;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/embedding.md} do what it says. */
class EmbeddingExampleTest {
    private static final Pattern SNIPPET = Pattern.compile(" *// snippet:(\\S+)\n(.*?) *// end:\\1\n", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private final List<String> reported = new CopyOnWriteArrayList<>();

    @Test
    void runsOneManifestAndLeavesNothing() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        Path workspace = Files.createDirectories(folder.resolve("work"));
        runOnce(folder.resolve("first"), workspace);
        Set<String> filesBefore = targets(descriptors);
        Run run = runOnce(folder.resolve("data"), workspace);

        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.termination().orElseThrow().subtype()).isEqualTo("stop");
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertThat(ownThreads()).isEmpty();
            assertThat(filesBefore).containsAll(targets(descriptors));
        });
    }

    private static Run runOnce(Path data, Path workspace) {
        Vertx vertx = Vertx.vertx();
        try {
            return Embedded.await(EmbeddingExamples.runOnce(vertx, data, workspace));
        } finally {
            Embedded.await(vertx.close());
        }
    }

    private static List<String> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("vert.x") || name.startsWith("loopkeeper"))
                .toList();
    }

    /** What the open descriptors of this process lead to, as far as files go. */
    private static Set<String> targets(Path descriptors) throws IOException {
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.flatMap(EmbeddingExampleTest::target)
                    .filter(target -> !target.contains("/proc/"))
                    .collect(Collectors.toSet());
        }
    }

    private static Stream<String> target(Path descriptor) {
        try {
            return Stream.of(Files.readSymbolicLink(descriptor).toString()).filter(name -> name.startsWith("/"));
        } catch (IOException gone) {
            return Stream.empty();
        }
    }

    @Test
    void printsTheProblemsOfAManifest() throws IOException {
        Path manifest = Files.writeString(folder.resolve("bad.yaml"), "name: bad\nagent: {}\nphases: []\n");
        try (Embedded embedded = new Embedded(folder)) {
            assertThat(Embedded.failure(EmbeddingExamples.submit(embedded.keeper, manifest, reported::add)))
                    .isInstanceOf(InvalidManifestException.class);
        }
        assertThat(reported).anySatisfy(text -> assertThat(text).startsWith("agent: unknown key"));
    }

    @Test
    void printsTheOtherActions() throws IOException {
        try (Embedded embedded = new Embedded(folder)) {
            String runId = embedded.submit(Embedded.SILENT);
            assertThat(embedded.until(runId, RunStatus.PAUSED).pause()).isPresent();
            Runs waiting = Embedded.await(EmbeddingExamples.waiting(embedded.keeper));
            assertThat(waiting.runs()).extracting(Runs.Entry::runId).containsExactly(runId);
            assertThat(Embedded.failure(EmbeddingExamples.refine(embedded.keeper, runId, "leave it", reported::add)))
                    .isInstanceOf(RunRefusedException.class);
        }
        assertThat(reported).singleElement().asString().startsWith("choose one of [");
    }

    @Test
    void printsStepsThatEnd() throws IOException {
        try (Embedded embedded = new Embedded(folder)) {
            String runId = embedded.submit(Embedded.GREET);
            EventSubscription subscription =
                    Embedded.await(EmbeddingExamples.follow(embedded.keeper, runId, reported::add));
            Awaitility.await().until(() -> !reported.isEmpty());
            subscription.close();
        }
        assertThat(reported).singleElement().asString().endsWith(": greet.greeter.1 has ended");
    }

    @Test
    void printsWhyARunWasStopped() throws IOException {
        try (Embedded embedded = new Embedded(folder)) {
            assertThat(Embedded.await(EmbeddingExamples.warn(embedded.vertx, reported::add)
                            .map(true)))
                    .isTrue();
            String runId = embedded.submit(Embedded.SLEEP);
            assertThat(Embedded.await(embedded.keeper.stopNow(runId, "")).runId())
                    .isEqualTo(runId);
            Awaitility.await().until(() -> reported.size() == 2);
            assertThat(reported)
                    .containsExactly(runId + " is asked to stop: operator", runId + " has ended: operator-stop");
        }
    }

    @Test
    void theDocumentationShowsThisCode() throws IOException {
        assertShows("../../docs/embedding.md", "EmbeddingExamples");
    }

    /** The page shows each snippet of these examples, and no other code. */
    static void assertShows(String page, String... examples) throws IOException {
        String documentation = Files.readString(Path.of(page));
        List<MatchResult> snippets = new ArrayList<>();
        for (String name : examples) {
            Path source = Path.of("src/test/java/dev/loopkeeper/embedding/" + name + ".java");
            snippets.addAll(SNIPPET.matcher(Files.readString(source)).results().toList());
        }
        assertThat(snippets).isNotEmpty();
        for (MatchResult snippet : snippets) {
            assertThat(documentation)
                    .as(snippet.group(1))
                    .contains("```java\n" + snippet.group(2).stripTrailing().stripIndent() + "\n```");
        }
        // Those of the gateway, which is not on this class path, are run by a test beside it.
        assertThat(Pattern.compile("```java\n(?!import dev.loopkeeper.gateway|.*HTTP)")
                        .matcher(documentation)
                        .results())
                .as("no example but the tested ones")
                .hasSameSizeAs(snippets);
    }
}
