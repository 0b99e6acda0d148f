package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code loopkeeper explain RUN}. */
@Command(name = "explain", description = "Tell why a run is where it is, and what may be done next.")
final class ExplainVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private RunArgument run;

    @Mixin
    private JsonOption json;

    ExplainVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            JsonNode explanation = facts.explain(run.id());
            if (json.wanted()) {
                root.console().print(JsonOption.pretty(explanation));
            } else {
                new RunReport(root, facts.run(run.id())).why().forEach(root.console()::print);
                root.console().print("  how it came to this:");
                explanation.path("chain").forEach(link -> root.console().print(line(link)));
            }
        }
        return ExitCodes.DONE;
    }

    private static String line(JsonNode link) {
        return "    %4d  %s  %s"
                .formatted(
                        link.path("sequence").asLong(),
                        link.path("at").asText(),
                        link.path("text").asText());
    }
}
