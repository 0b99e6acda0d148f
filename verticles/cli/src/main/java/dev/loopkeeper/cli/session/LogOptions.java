package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.step.LogLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options for the logs of steps, of commands that execute runs. */
public final class LogOptions {
    private static final String USUAL = "1GiB";

    @Option(
            names = "--log-limit",
            paramLabel = "SIZE",
            defaultValue = USUAL,
            description =
                    "How much of a step's output to keep, its beginning and its end; default 1GiB, 0 is no limit.")
    private String limit;

    @Option(
            names = "--keep-logs",
            paramLabel = "DURATION",
            description = "Remove logs of steps this long after their run ended, e.g. 720h; default never.")
    private String keep;

    /** Returns the options with these log options applied. */
    public LoopkeeperOptions over(LoopkeeperOptions options) {
        LoopkeeperOptions limited = options.logLimit(parsedLimit());
        return parsedKeep().map(limited::keepLogs).orElse(limited);
    }

    private LogLimit parsedLimit() {
        return LogLimit.parse(limit)
                .orElseThrow(() ->
                        CommandFailure.refused("--log-limit must be 0, or a size of at least 64KiB such as 1GiB, was '"
                                + Words.oneLine(limit) + "'"));
    }

    private Optional<Duration> parsedKeep() {
        return Optional.ofNullable(keep)
                .map(text -> DurationText.parse(text)
                        .filter(duration -> duration.toMillis() > 0)
                        .orElseThrow(() ->
                                CommandFailure.refused("--keep-logs must be a duration above zero, such as 720h, was '"
                                        + Words.oneLine(text) + "'")));
    }

    /** Checks the values, and warns that they have no effect if the server at {@code owner} executes the run. */
    public void leaveTo(ServerLocation owner, RootCommand root) {
        String limitGiven = parsedLimit().equals(LogLimit.parse(USUAL).orElseThrow()) ? "" : "--log-limit";
        String keepGiven = parsedKeep().isPresent() ? "--keep-logs" : "";
        String given = Stream.of(limitGiven, keepGiven)
                .filter(option -> !option.isEmpty())
                .collect(Collectors.joining(" and "));
        if (!given.isEmpty()) {
            root.console()
                    .warn(given + " has no effect here: the server at " + owner.url()
                            + " executes the run and keeps logs by its own options");
        }
    }
}
