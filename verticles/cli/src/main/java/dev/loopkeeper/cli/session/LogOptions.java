package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.step.LogLimit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** What is kept of the output of steps, for verbs that carry runs out. */
public final class LogOptions {
    private static final String USUAL = "1GiB";

    @Option(
            names = "--log-limit",
            paramLabel = "SIZE",
            defaultValue = USUAL,
            description = "Kept of what a step prints, its beginning and end; default 1GiB, 0 is no limit.")
    private String limit;

    @Option(
            names = "--keep-logs",
            paramLabel = "DURATION",
            description = "Remove logs of steps this long after their run ended, e.g. 720h; default never.")
    private String keep;

    /** The same options with what was asked for here. */
    public LoopkeeperOptions over(LoopkeeperOptions options) {
        LoopkeeperOptions limited = options.logLimit(LogLimit.parse(limit)
                .orElseThrow(() ->
                        CommandFailure.refused("--log-limit must be a size from 64KiB on, such as 1GiB, or 0, was '"
                                + Words.oneLine(limit) + "'")));
        if (keep == null) {
            return limited;
        }
        return limited.keepLogs(DurationText.parse(keep)
                .filter(duration -> duration.toMillis() > 0)
                .orElseThrow(() -> CommandFailure.refused(
                        "--keep-logs must be a duration above zero, such as 720h, was '" + Words.oneLine(keep) + "'")));
    }

    /** Another process carries the run out: what is wrong ends the command, what has no effect is said. */
    public void leaveTo(ServerLocation owner, RootCommand root) {
        Object unused = over(LoopkeeperOptions.of(root.dataFolder().path()));
        String given = Stream.of(limit.equals(USUAL) ? "" : "--log-limit", keep == null ? "" : "--keep-logs")
                .filter(option -> !option.isEmpty())
                .collect(Collectors.joining(" and "));
        if (!given.isEmpty()) {
            root.console()
                    .warn(given + " has no effect here: the server at " + owner.url()
                            + " carries the run out and keeps logs as it was told");
        }
    }
}
