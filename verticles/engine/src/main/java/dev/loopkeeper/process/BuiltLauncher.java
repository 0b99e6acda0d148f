package dev.loopkeeper.process;

import io.vertx.core.WorkerExecutor;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/** One that Java itself started. */
final class BuiltLauncher implements StartedLauncher {
    private final Process process;
    private final CompletionStage<String> told;

    BuiltLauncher(Process process, WorkerExecutor workers) {
        this.process = process;
        this.told = workers.executeBlocking(this::line, false).otherwise("").toCompletionStage();
    }

    private String line() throws IOException {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            return line == null ? "" : line;
        }
    }

    @Override
    public CompletionStage<String> told() {
        return told;
    }

    @Override
    public CompletionStage<Void> gone() {
        return process.onExit().thenAccept(ended -> {});
    }

    @Override
    public boolean lives() {
        return process.isAlive();
    }
}
