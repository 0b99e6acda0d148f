package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** What an agent says was logged complete, however long it was. */
@Isolated("reads the log of the process, or changes what it has once")
class LoggedEventsTest {
    private static final int LONG = 120_000;
    private static final int LINE = 1_200;

    private static final String MANIFEST =
            "{name: wordy, agents: {dev: {command: 'cp signal.json $LOOPKEEPER_SIGNAL_FILE',"
                    + " signal: .loopkeeper/dev.json, timeout: 1m}}, phases: [{name: p, task: dev}]}";

    @TempDir
    Path folder;

    @Test
    void aLineOfTheLogIsCutHoweverMuchAnAgentSays() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger("dev.loopkeeper.scheduler");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Level before = log.getLevel();
        log.setLevel(Level.INFO);
        // Other threads still log while the test reads.
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        log.addAppender(lines);
        Path workspace = folder.resolve("work");
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace)) {
            String words = "x".repeat(LONG);
            Files.writeString(
                    workspace.resolve("signal.json"),
                    "{\"terminal\":{\"reasonCode\":\"halted\",\"summary\":\"" + words + "\"},\"keyConcern\":\"" + words
                            + "\",\"error\":{\"message\":\"" + words + "\"}}");
            keeper.untilEnded(keeper.start(MANIFEST));

            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("step.") || line.contains("step p.dev.1"))
                    .allMatch(line -> line.length() < LINE);
        } finally {
            log.detachAppender(lines);
            log.setLevel(before);
        }
    }
}
