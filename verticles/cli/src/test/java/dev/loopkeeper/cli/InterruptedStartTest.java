package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootStarter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class InterruptedStartTest {
    @TempDir
    Path folder;

    /** It stayed: a node of a cluster renewed its lease and kept its name from the next one. */
    @Test
    @Timeout(60)
    void whatIsUpAMomentAfterTheInterruptionIsClosed() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        Promise<RootStarter.Root> start = Promise.promise();
        CommandRunner runner = new CommandRunner(console(), (vertx, options, serving) -> {
            asked.countDown();
            return start.future();
        });
        Thread serving = new Thread(() -> {
            int unused = runner.run(
                    "serve", "--port", "0", "--data", folder.resolve("data").toString());
        });
        serving.start();
        asked.await();

        serving.interrupt();
        ClosingRoot started = new ClosingRoot();
        start.complete(started);
        serving.join();

        assertThat(started.isClosed()).isTrue();
    }

    @Test
    void whatTheDiskDoesNotTakeRefusesTheStart() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Console console =
                new Terminal(folder).console(nowhere(), new PrintStream(printed, true, StandardCharsets.UTF_8));
        CommandRunner runner = new CommandRunner(
                console, (vertx, options, serving) -> Future.failedFuture(new IOException("No space left on device")));
        Path data = folder.resolve("data");

        assertThat(runner.run("serve", "--port", "0", "--data", data.toString()))
                .isEqualTo(ExitCodes.REFUSED);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("the data folder " + data + " cannot be used", "No space left on device", "Check the rights")
                .doesNotContain("internal error");
    }

    private Console console() {
        return new Terminal(folder).console(nowhere(), nowhere());
    }

    private static PrintStream nowhere() {
        return new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    }
}
