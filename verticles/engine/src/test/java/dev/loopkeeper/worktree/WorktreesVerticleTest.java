package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.git.GitProgram;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("reads the log of the process")
class WorktreesVerticleTest {
    private final Vertx vertx = Vertx.vertx();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** A run ended with a stack trace: the timer gave work to workers that were being closed. */
    @Test
    void itsTimerIsCancelledBeforeItsWorkersClose() throws IOException {
        RecordCodec.register(vertx);
        Path slow = Files.writeString(
                folder.resolve("git"),
                "#!/bin/sh\n: >" + folder + "/begun\nuntil [ -e " + folder + "/go ]; do sleep 0.02; done\nexit 1\n");
        assertThat(slow.toFile().setExecutable(true)).isTrue();
        String id = vertx.deployVerticle(new WorktreesVerticle(folder, new GitProgram(slow.toString()), 1))
                .await();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(WorktreesVerticle.class);
        logger.addAppender(log);
        try {
            Future<?> unused = CheckoutChannels.CHECK.ask(
                    vertx.eventBus(), new CheckWorkspace(folder, "HEAD", Optional.empty()), Duration.ofMinutes(1));
            Awaitility.await().until(() -> Files.exists(folder.resolve("begun")));

            Future<?> undeployed = vertx.undeploy(id);
            vertx.timer(100, TimeUnit.MILLISECONDS).await(); // many ticks of the timer
            Files.createFile(folder.resolve("go"));
            undeployed.await();

            assertThat(log.list).isEmpty();
        } finally {
            logger.detachAppender(log);
        }
    }
}
