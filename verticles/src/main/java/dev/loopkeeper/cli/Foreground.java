package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Set;
import java.util.function.Consumer;

/** Follows a run that this process carries out until it pauses for a person or has ended. */
final class Foreground {
    private static final Set<String> OPEN = Set.of("running", "waiting", "stopping");
    private static final int MANY = 1000;

    private final RootCommand root;
    private final boolean json;

    Foreground(RootCommand root, boolean json) {
        this.root = root;
        this.json = json;
    }

    /** Prints lines on the way and the outcome at last; answers with the exit code. */
    int follow(Api api, String runId, FeedReader feed) {
        JsonNode run = json
                ? RunFollow.silently(api, runId, Deadline.never()).until(feed, RunStates::atRest)
                : told(api, runId, feed);
        new Outcome(root, json).print(run);
        tellOfOthers(api, runId);
        return ExitCodes.of(run);
    }

    private JsonNode told(Api api, String runId, FeedReader feed) {
        ProgressLines lines = new ProgressLines(root.console(), ZoneId.systemDefault(), false);
        try (StatusLine status = new StatusLine(root.console(), Clock.systemUTC())) {
            Consumer<JsonNode> ear = event -> lines.of(event).forEach(status::print);
            return new RunFollow(api, runId, ear, status::show, Deadline.never()).until(feed, RunStates::atRest);
        }
    }

    /** This process carried out every open run of the folder, and is about to end. */
    private void tellOfOthers(Api api, String runId) {
        JsonNode open = api.get("/runs?limit=" + MANY + "&status=" + Api.encoded(String.join(",", OPEN)));
        for (JsonNode other : open.path("runs")) {
            String id = other.path("runId").asText();
            if (!id.equals(runId)) {
                root.console()
                        .warn("run " + id + " is open too and waits for somebody to carry it out; " + root.hint("serve")
                                + " does");
            }
        }
    }
}
