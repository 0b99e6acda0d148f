package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.manifest.read.DurationText;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The option {@code --timeout} of commands that wait for an effect. */
final class WaitLimit {
    private static final Duration MOST = Duration.ofMinutes(5);
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long to wait, e.g. 30s, at most 5m; default 60s.")
    private String written;

    /** Returns a client of the same server that waits no longer than this limit, but always at least a second. */
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
