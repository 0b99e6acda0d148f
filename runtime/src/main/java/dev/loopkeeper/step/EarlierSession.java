package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.manifest.OutputDialect;
import java.util.regex.Pattern;

/**
 * An agent's session that a later launch may continue.
 *
 * @param id session id of the agent's program
 * @param stepId the newest step in the session
 * @param slot key of that step's position in the run
 * @param host the node or machine that stores the session
 * @param workspace of the run when the step ran, an absolute path
 * @param interrupted whether that step was interrupted
 * @param output dialect of the agent
 * @param reported totals of the session as the agent reported them
 */
public record EarlierSession(
        String id,
        String stepId,
        String slot,
        int attempt,
        @JsonProperty("place") String host,
        String workspace,
        boolean interrupted,
        OutputDialect output,
        Usage reported) {
    /** An id becomes a command argument, so an id that looks like an option or contains shell characters is refused. */
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@+=-]{0,199}");

    /** Whether the id is safe as a command argument. */
    @JsonIgnore
    public boolean isUsable() {
        return USABLE.matcher(id).matches();
    }
}
