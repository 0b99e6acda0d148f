package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.manifest.read.DurationText;
import java.time.Duration;
import picocli.CommandLine.Option;

/** {@code --timeout} of verbs that wait for a command to take effect. */
final class WaitLimit {
    private static final Duration MOST = Duration.ofMinutes(5);
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long to wait, e.g. 30s, at most 5m; default 60s.")
    private String written;

    /** The same server, of which no answer is waited for longer than this; it always has a moment. */
    Api within(Api api) {
        Duration limit = of();
        Duration most = limit.compareTo(A_MOMENT) < 0 ? A_MOMENT : limit;
        return most.compareTo(Api.PATIENCE) < 0 ? api.within(most) : api;
    }

    Duration of() {
        return DurationText.parse(written)
                .filter(limit -> limit.toMillis() > 0 && limit.compareTo(MOST) <= 0)
                .orElseThrow(() -> CommandFailure.refused("--timeout must be a duration up to 5m, such as 30s"));
    }
}
