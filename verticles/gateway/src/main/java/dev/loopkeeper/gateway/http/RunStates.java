package dev.loopkeeper.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.RunStatus;

/** What the statuses of run objects mean to a waiting client. */
public final class RunStates {
    private RunStates() {}

    static boolean ended(JsonNode run) {
        return RunStatus.ENDED.contains(run.path("status").asText());
    }

    public static boolean paused(JsonNode run) {
        return run.path("status").asText().equals(RunStatus.PAUSED.wire());
    }

    public static boolean pausedOrEnded(JsonNode run) {
        return paused(run) || ended(run);
    }

    /** A stop is over when the run has ended, or pauses because some of its processes would not die. */
    public static boolean stopped(JsonNode run) {
        return ended(run)
                || (paused(run) && run.path("pause").path("reason").asText().equals("survivors"));
    }
}
