package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.command.FactsCommand;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.work.Instants;
import java.time.Duration;
import picocli.CommandLine.Command;

/** The command {@code loopkeeper status}. */
@Command(
        name = "status",
        description = "Show whether the server is ready, its runs, pauses and their age, queue, disk and cost.",
        footer = {"", "Exit code 0: the server accepts work. 7: it does not, or it cannot be reached."})
public final class StatusCommand extends FactsCommand {
    /** Monitoring tools rarely wait longer than this. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The part of the answer of {@code GET /session} that is printed. */
    private record Caller(String version) {}

    /** The answer of {@code GET /health/ready}. */
    private record Ready(String status) {}

    /** A metric that only nodes of a cluster have. */
    private static final String OF_A_NODE = "loopkeeper_lost_leases_total";

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Api server = session.requireServer().within(PATIENCE);
            ObjectNode facts = Json.MAPPER.createObjectNode();
            facts.put("url", server.location().url());
            facts.put(
                    "version",
                    server.get("/session", Caller.class).json().path("version").asText());
            boolean ready = ready(server, facts);
            Samples samples = Samples.parse(server.text("/metrics"));
            new StatusReport(samples).addTo(facts);
            try {
                ClusterRuns.addTo(facts, server, Instants.now());
            } catch (CommandFailure unavailable) {
                // The server's own facts are printed in any case.
                if (samples.sum(OF_A_NODE).isPresent()) {
                    ClusterRuns.unknown(facts);
                }
                if (ready) {
                    facts.put("problem", unavailable.getMessage());
                }
            }
            print(facts, () -> StatusReport.lines(facts).forEach(this::print));
            return ready ? ExitCodes.DONE : ExitCodes.UNREACHABLE;
        }
    }

    private static boolean ready(Api server, ObjectNode facts) {
        try {
            Ready answer = server.get("/health/ready", Ready.class).view();
            facts.put("ready", true).put("problem", (String) null);
            return answer.status().equals("ready");
        } catch (CommandFailure notReady) {
            facts.put("ready", false).put("problem", notReady.getMessage());
            return false;
        }
    }
}
