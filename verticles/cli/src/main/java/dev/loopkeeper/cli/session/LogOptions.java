package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.step.LogLimit;
import picocli.CommandLine.Option;

/** What is kept of the output of steps, for verbs that carry runs out. */
public final class LogOptions {
    @Option(
            names = "--log-limit",
            paramLabel = "SIZE",
            defaultValue = "1GiB",
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
}
