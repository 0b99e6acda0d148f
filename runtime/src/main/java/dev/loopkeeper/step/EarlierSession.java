package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loopkeeper.manifest.OutputDialect;
import java.util.regex.Pattern;

/**
 * A session of an agent that a later launch may go on with.
 *
 * @param id by which the agent's program finds it
 * @param stepId of the newest step in it
 * @param slot key of that step's place in the work
 * @param attempt of that step
 * @param place the node or machine that has it
 * @param workspace of the run when the step ran, an absolute path
 * @param interrupted whether that step's work was cut short
 * @param output dialect of the agent
 * @param told what the agent told as totals of the whole session
 */
public record EarlierSession(
        String id,
        String stepId,
        String slot,
        int attempt,
        String place,
        String workspace,
        boolean interrupted,
        OutputDialect output,
        Usage told) {
    /** An id becomes a word of a command line, so it holds nothing that an option or a shell would read. */
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@+=-]{0,199}");

    /** Whether its id can be given to a program. */
    @JsonIgnore
    public boolean isUsable() {
        return USABLE.matcher(id).matches();
    }
}
