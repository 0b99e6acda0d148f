package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.run.RunId;
import java.util.List;
import java.util.Optional;

/** Resolves the run that a person names: by its id, by a unique prefix of its id, or by {@code -} for the newest. */
public final class RunChoice {
    /** The same for people. */
    public static final String DESCRIPTION = "Id of the run, or a unique prefix of it; - is the newest run.";

    private static final String NEWEST = "-";
    private static final int MOST_NAMED = 5;

    private final RunFacts facts;
    private final RootCommand root;

    public RunChoice(RunFacts facts, RootCommand root) {
        this.facts = facts;
        this.root = root;
    }

    /** Returns the id of the run; an ambiguous or unknown prefix ends the command. */
    public String of(String given) {
        if (given.equals(NEWEST)) {
            return facts.ids(Optional.empty(), 1).stream()
                    .findFirst()
                    .orElseThrow(() -> CommandFailure.unreachable(
                            "there is no run yet; start one with: " + root.hint("run MANIFEST")));
        }
        if (!RunId.isValid(given)) {
            throw CommandFailure.unreachable(
                    "there is no run '" + Words.shown(given) + "'; a run id consists of " + RunId.RULE);
        }
        List<String> found = facts.ids(Optional.of(given), MOST_NAMED + 1);
        // If many ids begin with it, the run with this very id may be older than all that were listed.
        boolean exact = found.contains(given) || (found.size() > MOST_NAMED && facts.knows(given));
        return exact ? given : only(given, found);
    }

    private String only(String given, List<String> found) {
        if (found.size() > 1) {
            String more = found.size() > MOST_NAMED ? " and more" : "";
            throw CommandFailure.refused("'" + given + "' is the beginning of several run ids: "
                    + String.join(", ", found.subList(0, Math.min(MOST_NAMED, found.size()))) + more
                    + "; give a longer beginning");
        }
        return found.stream().findFirst().orElseThrow(() -> unknown(given, facts, root));
    }

    static CommandFailure unknown(String runId, RunFacts facts, RootCommand root) {
        return CommandFailure.unreachable(
                "there is no run " + runId + " " + facts.source() + "; see: " + root.hint("runs"));
    }
}
