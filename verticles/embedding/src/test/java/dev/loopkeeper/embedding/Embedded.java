package dev.loopkeeper.embedding;

import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** A Loopkeeper in a Vert.x of its own, with a workspace. */
final class Embedded implements AutoCloseable {
    /** Ends on its own, with success. */
    static final String GREET = """
            name: greet
            agents: {greeter: {command: [echo, hello]}}
            phases: [{name: greet, task: greeter}]
            """;
    /** Does not end on its own, but with its runtime. */
    static final String SLEEP = """
            name: sleep
            agents: {sleeper: {command: [sleep, "300"], onRuntimeDeath: kill}}
            phases: [{name: only, task: sleeper}]
            """;
    /** Pauses, since its agent leaves no signal. */
    static final String SILENT = """
            name: silent
            agents: {one: {command: [echo, hello], signal: one.json}}
            phases: [{name: only, task: one}]
            """;

    private static final int PATIENCE_SECONDS = 60;

    static {
        // Ten seconds are no end for what is waited for on a machine in use.
        Awaitility.setDefaultTimeout(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    final Vertx vertx = Vertx.vertx();
    final Path workspace;
    final Loopkeeper keeper;

    Embedded(Path folder) throws IOException {
        this.workspace = Files.createDirectories(folder.resolve("work"));
        this.keeper = await(Loopkeeper.start(vertx, LoopkeeperOptions.of(folder.resolve("data"))));
    }

    static <T> T await(Future<T> future) {
        try {
            return future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("no answer within " + PATIENCE_SECONDS + " s", late);
        }
    }

    /** What it failed with. */
    static Throwable failure(Future<?> future) {
        return await(future.<Throwable>map(value -> new AssertionError("no failure but " + value))
                .otherwise(cause -> cause));
    }

    RunOptions here() {
        return RunOptions.DEFAULTS.workspace(workspace);
    }

    String submit(String manifest) {
        return await(keeper.submit(manifest, here())).runId();
    }

    Run until(String runId, RunStatus status) {
        Awaitility.await().until(() -> await(keeper.run(runId)).status() == status);
        return await(keeper.run(runId));
    }

    @Override
    public void close() {
        await(keeper.close().compose(drained -> vertx.close()));
    }
}
