package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.run.RunStatus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loopkeeper runs}. */
@Command(name = "runs", description = "List runs, newest first.")
final class RunsVerb implements Callable<Integer> {
    private static final int MOST = 1000;
    private static final List<String> KNOWN =
            Stream.of(RunStatus.values()).map(RunStatus::wire).toList();

    private static final String ABANDONED = " (nobody carries it out)";

    private final RootCommand root;

    @Option(
            names = "--status",
            split = ",",
            paramLabel = "STATUS",
            description =
                    "Only runs that are queued, running, waiting, paused, stopping, completed, stopped or failed.")
    private Set<String> statuses = new LinkedHashSet<>();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many, 1 to 1000; default 100.")
    private int limit;

    @Mixin
    private JsonOption json;

    RunsVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        if (limit < 1 || limit > MOST) {
            throw CommandFailure.refused("--limit must be 1 to " + MOST + ", was " + limit);
        }
        statuses.stream().filter(status -> !KNOWN.contains(status)).findFirst().ifPresent(RunsVerb::refuse);
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            JsonNode page = facts.list(statuses, limit);
            if (json.wanted()) {
                root.console().print(JsonOption.pretty(page));
            } else {
                print(facts, page);
            }
        }
        return ExitCodes.DONE;
    }

    private static void refuse(String unknown) {
        String near = NearestName.of(unknown, KNOWN)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
        throw CommandFailure.refused("--status does not know '" + Words.shown(unknown) + "'" + near + "; known are "
                + String.join(", ", KNOWN));
    }

    private void print(RunFacts facts, JsonNode page) {
        if (page.path("runs").isEmpty()) {
            root.console().err().println("no runs");
            return;
        }
        Table table = new Table("RUN", "STATUS", "AT", "CREATED");
        page.path("runs")
                .forEach(run -> table.add(
                        run.path("runId").asText(),
                        run.path("status").asText("damaged") + (facts.abandoned(run) ? ABANDONED : ""),
                        place(run.path("position")),
                        run.path("createdAt").asText()));
        table.lines().forEach(root.console()::print);
        for (JsonNode run : page.path("runs")) {
            if (facts.abandoned(run)) {
                root.console().warn("what nobody carries out goes on with: " + root.hint("serve"));
                break;
            }
        }
        if (page.hasNonNull("nextCursor")) {
            root.console().err().println("there are more; raise --limit");
        }
    }

    private static String place(JsonNode position) {
        StringBuilder place = new StringBuilder(position.path("phase").asText("-"));
        for (String part : new String[] {"iteration", "item"}) {
            if (position.hasNonNull(part)) {
                place.append(".").append(position.get(part).asText());
            }
        }
        return place.toString().equals("null") ? "-" : place.toString();
    }
}
