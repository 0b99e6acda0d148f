package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** What the statuses of run objects mean to a waiting client. */
final class RunStates {
    /** Those that nothing leads out of but a resume. */
    static final Set<String> ENDED = Set.of("completed", "stopped", "failed");
    /** Those of runs that are not over. */
    static final Set<String> OPEN = Set.of("queued", "running", "waiting", "paused", "stopping");
    /** All. */
    static final Set<String> ALL =
            Set.of("queued", "running", "waiting", "paused", "stopping", "completed", "stopped", "failed");

    private RunStates() {}

    static boolean ended(JsonNode run) {
        return ENDED.contains(run.path("status").asText());
    }

    static boolean paused(JsonNode run) {
        return run.path("status").asText().equals("paused");
    }

    static boolean pausedOrEnded(JsonNode run) {
        return paused(run) || ended(run);
    }

    /** A stop is over when the run has ended, or pauses because some of its processes would not die. */
    static boolean stopped(JsonNode run) {
        return ended(run)
                || (paused(run) && run.path("pause").path("reason").asText().equals("survivors"));
    }
}
