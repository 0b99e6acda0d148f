package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.manifest.read.DurationText;
import java.time.Duration;
import picocli.CommandLine.Option;

/** {@code --timeout} of verbs that wait for a command to take effect. */
final class WaitLimit {
    private static final Duration MOST = Duration.ofMinutes(10);

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long to wait, e.g. 30s, at most 10m; default 60s.")
    private String written;

    Duration of() {
        return DurationText.parse(written)
                .filter(limit -> limit.toMillis() > 0 && limit.compareTo(MOST) <= 0)
                .orElseThrow(() -> CommandFailure.refused("--timeout must be a duration up to 10m, such as 30s"));
    }
}
