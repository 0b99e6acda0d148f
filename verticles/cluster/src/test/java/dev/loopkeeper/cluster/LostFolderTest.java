package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.DataFolderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * The data folder of a node at work is removed, or takes nothing any more: its agents end all the same, since others take
 * its runs over.
 */
@Isolated("reads the log of the process, or changes what it has once")
class LostFolderTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String SLEEPER = """
            name: sleeper
            agents: {dev: {command: [sh, -c, 'echo $$ > pid.new; mv pid.new pid; sleep 300']}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private final List<Logger> loggers = Stream.of(
                    ClusterNode.class,
                    NodeRuns.class,
                    NodeProcessTermination.class,
                    WardenWatch.class,
                    FolderFailureLog.class)
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();
    private final Lines lines = new Lines();

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> all = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            all.add(line);
        }

        List<ILoggingEvent> errors() {
            return all.stream()
                    .filter(line -> line.getLevel().equals(Level.ERROR))
                    .toList();
        }
    }

    @BeforeEach
    void listen() {
        lines.start();
        loggers.forEach(logger -> {
            logger.addAppender(lines);
            logger.setAdditive(false);
        });
    }

    @AfterEach
    void deafen() {
        loggers.forEach(logger -> {
            logger.setAdditive(true);
            logger.detachAppender(lines);
        });
    }

    private static void remove(Path gone) throws IOException {
        try (Stream<Path> all = Files.walk(gone)) {
            for (Path path : all.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException already) {
            assertThat(gone).doesNotExist();
        }
    }

    private static ProcessHandle agent(Path workspace) throws IOException {
        Path pid = workspace.resolve("pid");
        Awaitility.await().atMost(SOON).until(() -> Files.exists(pid));
        return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    }

    @Test
    void endsItsAgentsAndLogsTheReasonOnce() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node node = nodes.start("n1");
            Path workspace = nodes.workspace("work");
            assertThat(node.submit(SLEEPER, workspace)).isNotEmpty();
            ProcessHandle agent = agent(workspace);

            Awaitility.await().atMost(SOON).ignoreExceptions().until(() -> {
                remove(node.data());
                return !Files.exists(node.data());
            });

            Awaitility.await().atMost(SOON).until(() -> !agent.isAlive());
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> lines.errors().stream()
                            .anyMatch(line -> line.getFormattedMessage().contains("lease cannot be stored")));
            assertThat(lines.errors())
                    .allMatch(line -> line.getThrowableProxy() == null)
                    .allMatch(line -> line.getFormattedMessage().contains("Check the data folder " + node.data()))
                    .hasSizeLessThan(6);
        }
    }

    /** As on a full disk: the draft of the lease cannot be made. */
    @Test
    void aNodeWithAnUnwritableFolderLeavesUntilItIsWritable() throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            LocalNodes.Node node = nodes.start("n1");
            Path workspace = nodes.workspace("work");
            assertThat(node.submit(SLEEPER, workspace)).isNotEmpty();
            ProcessHandle agent = agent(workspace);
            Path inTheWay = node.data().resolve("cluster").resolve(".lease.new");

            Awaitility.await().atMost(SOON).ignoreExceptions().until(() -> {
                Path unused = Files.createDirectory(inTheWay);
                return true;
            });
            nodes.fence("n1");
            // Its next append fails, since it has no lease.
            assertThat(catchThrowable(() -> node.submit(SLEEPER, workspace))).isNotNull();

            Awaitility.await().atMost(SOON).until(() -> !agent.isAlive());
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> lines.errors().stream()
                            .anyMatch(line -> line.getFormattedMessage().contains("lease cannot be stored")));
            assertThat(lines.errors())
                    .noneMatch(line -> line.getFormattedMessage().contains("cannot be ended"))
                    .allMatch(line -> line.getFormattedMessage().contains("Check the data folder " + node.data()));
            Files.delete(inTheWay);
            Awaitility.await()
                    .atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> !node.submit(SLEEPER, workspace).isEmpty());
        }
    }

    /** Nor is it a fault of the program, as its message says. */
    @ParameterizedTest
    @ValueSource(strings = {".warden.sh.new", "fate"})
    void whereNothingCanBeWrittenNoNodeStarts(String taken) throws IOException {
        try (LocalNodes nodes = new LocalNodes(folder.toRealPath())) {
            Path data =
                    new DataFolder(folder.toRealPath().resolve("n1")).prepare().path();
            Path unused = Files.createDirectories(
                    data.resolve("cluster").resolve(taken).resolve("kept"));

            assertThat(catchThrowable(() -> nodes.start("n1")))
                    .hasRootCauseInstanceOf(IOException.class)
                    .isInstanceOf(DataFolderException.class)
                    .hasMessageContaining("the data folder " + data + " cannot store this node's lease")
                    .hasMessageContaining("Check its permissions and the disk space");
        }
    }
}
