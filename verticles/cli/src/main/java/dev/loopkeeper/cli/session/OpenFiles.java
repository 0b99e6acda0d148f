package dev.loopkeeper.cli.session;

import dev.loopkeeper.contract.ResourceExhaustedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks how many files this process may have open. With a limit too low, any later open fails with a misleading error.
 *
 * @param process folder of this process in procfs, {@code /proc/self}
 */
record OpenFiles(Path process) {
    /** Files that a server, a run of one agent and its client open, plus a reserve. */
    private static final int OF_RUNS = 32;
    /** Files that a command opens to read a manifest or a store, or to follow a server, plus a reserve. */
    private static final int OF_COMMAND = 12;

    private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files +([0-9]+) ");
    private static final String REMEDY =
            "; raise the limit in this shell or service (ulimit -n 1024), and start again. Nothing was started.";

    static OpenFiles ofThisProcess() {
        return new OpenFiles(Path.of("/proc/self"));
    }

    /** Ends the command if the limit is too low to execute runs. An unknown limit passes. */
    void check() {
        check(OF_RUNS, "executing runs needs ");
    }

    /** Ends the command if the limit is too low for a command that executes no runs. */
    void checkForCommand() {
        check(OF_COMMAND, "this command needs ");
    }

    private void check(int needed, String what) {
        try {
            Matcher limit = LIMIT.matcher(Files.readString(process.resolve("limits")));
            if (limit.find()) {
                check(Long.parseLong(limit.group(1)), open(), needed, what);
            }
        } catch (IOException | NumberFormatException unknown) {
            Optional<ResourceExhaustedException> none = ResourceExhaustedException.in(unknown);
            if (none.isPresent()) {
                throw CommandFailure.refused("this process may open no more files" + REMEDY);
            }
        }
    }

    private static void check(long limit, long open, int needed, String what) {
        if (limit - open < needed) {
            throw CommandFailure.refused("this process may have " + limit + " files open at once, and has " + open
                    + ": " + what + needed + " more" + REMEDY);
        }
    }

    private long open() throws IOException {
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            return descriptors.count();
        }
    }
}
