package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.scheduler.EventLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** What the log has of a runtime and its runs. */
@Isolated("reads the log of the process, or changes what it has once")
class LoggedEventsTest {
    private static final int LONG = 120_000;
    private static final int LINE = 1_200;

    private static final String MANIFEST =
            "{name: wordy, agents: {dev: {command: 'cp signal.json $LOOPKEEPER_SIGNAL_FILE',"
                    + " signal: .loopkeeper/dev.json, timeout: 1m}}, phases: [{name: p, task: dev}]}";

    @TempDir
    Path folder;

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.loopkeeper");
    private final Level before = log.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void read() {
        // Other threads still log while the test reads.
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void leave() {
        log.detachAppender(lines);
        log.setLevel(before);
    }

    @Test
    void aLineOfTheLogIsCutHoweverMuchAnAgentSays() throws Exception {
        log.setLevel(Level.DEBUG);
        Path workspace = folder.resolve("work");
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace)) {
            String words = "x".repeat(LONG);
            Files.writeString(
                    workspace.resolve("signal.json"),
                    "{\"terminal\":{\"reasonCode\":\"halted\",\"summary\":\"" + words + "\"},\"keyConcern\":\"" + words
                            + "\",\"error\":{\"message\":\"" + words + "\"}}");
            keeper.untilEnded(keeper.start(MANIFEST));

            assertThat(messages(EventLog.NAME))
                    .anyMatch(line -> line.contains("step.") || line.contains("step p.dev.1"))
                    .allMatch(line -> line.length() < LINE);
        }
    }

    @Test
    void atInfoAStartIsOneLineAndARunHasTwo() throws Exception {
        log.setLevel(Level.INFO);
        Path workspace = folder.resolve("work");
        String runId;
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace)) {
            Files.writeString(workspace.resolve("signal.json"), "{\"status\":\"completed\"}");
            runId = keeper.start(MANIFEST);
            keeper.untilEnded(runId);
        }

        assertThat(messages("dev.loopkeeper"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Loopkeeper ").contains("has started in"),
                        line -> assertThat(line).startsWith("run " + runId + ": created in"),
                        line -> assertThat(line).startsWith("run " + runId + ": completed"));
    }

    private List<String> messages(String logger) {
        return lines.list.stream()
                .filter(line -> line.getLoggerName().startsWith(logger))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
