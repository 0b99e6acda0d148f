package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** What the statuses of run objects mean. */
final class RunStates {
    private static final Set<String> ENDED = Set.of("completed", "stopped", "failed");
    private static final Set<String> GOING = Set.of("running", "waiting", "stopping");

    private RunStates() {}

    static String of(JsonNode run) {
        return run.path("status").asText();
    }

    static boolean ended(JsonNode run) {
        return ENDED.contains(of(run));
    }

    static boolean paused(JsonNode run) {
        return of(run).equals("paused");
    }

    static boolean pausedOrEnded(JsonNode run) {
        return paused(run) || ended(run);
    }

    /** Nothing more happens by itself; a pause that ends when a provider is back is none of these. */
    static boolean atRest(JsonNode run) {
        return ended(run) || (paused(run) && !run.path("pause").hasNonNull("resumeAt"));
    }

    /** It is under way, as far as somebody carries it out. */
    static boolean going(JsonNode run) {
        return GOING.contains(of(run));
    }
}
