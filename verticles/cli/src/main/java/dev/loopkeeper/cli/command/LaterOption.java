package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.manifest.read.TimeText;
import dev.loopkeeper.work.Instants;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --at} of commands that may take effect later. */
final class LaterOption {
    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Do it then: 22:00, 'tomorrow 03:00', 'in 2h' or RFC 3339; a past time is now.")
    private String written;

    boolean isGiven() {
        return written != null;
    }

    /** Adds the time to a request, if it is given. */
    void addTo(ObjectNode body, String field) {
        time().ifPresent(time -> body.put(field, time.toString()));
    }

    /** Reads the time in the zone of the caller. */
    private Optional<Instant> time() {
        return Optional.ofNullable(written)
                .map(text -> TimeText.parse(text, Instants.now().atZone(ZoneId.systemDefault()))
                        .orElseThrow(() -> CommandFailure.refused("--at must be a time such as " + TimeText.EXAMPLES)));
    }
}
