package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.LogSink;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.ServerFacts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper diff RUN [STEP]}. */
@Command(name = "diff", description = "Print what a run, or one of its steps, changed in its worktree.")
public final class DiffCommand extends OneRunCommand {
    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "Id of the step, e.g. build.3.dev.1.")
    private String stepId;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to this file, completely or not at all.")
    private Path output;

    @Override
    public Integer call() {
        if (output != null && json.wanted()) {
            throw CommandFailure.refused("--output writes the diff and --json prints counts; give one of them");
        }
        return withRun(facts -> {
            if (json.wanted()) {
                print(JsonOption.pretty(facts.diff(run.id(), step()).json()));
            } else if (output != null) {
                write(facts, output.toAbsolutePath());
            } else {
                print(facts);
            }
            root.console().out().flush();
        });
    }

    private Optional<String> step() {
        return Optional.ofNullable(stepId);
    }

    /** Prints to a terminal without control characters; to a pipe or a file unchanged, e.g. for {@code git apply}. */
    private void print(RunFacts facts) {
        PrintStream out = root.console().out();
        LogSink sink = new LogSink(out, root.console().screen().isEmpty(), "");
        try {
            facts.patch(run.id(), step(), bytes -> {
                sink.accept(bytes);
                if (out.checkError()) {
                    throw new UncheckedIOException(new IOException("the reader closed the pipe"));
                }
            });
            sink.end();
        } catch (UncheckedIOException closed) {
            // The reader of the pipe has read enough, which is not a failure.
            return;
        }
    }

    private void write(RunFacts facts, Path file) {
        Path draft = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (OutputStream out = Files.newOutputStream(draft)) {
                facts.patch(run.id(), step(), bytes -> ServerFacts.write(out, bytes));
                Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException | UncheckedIOException refused) {
            throw CommandFailure.refused(file + " cannot be written: " + refused);
        }
    }
}
