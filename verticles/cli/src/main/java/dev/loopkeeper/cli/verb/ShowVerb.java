package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.RunReport;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Run;
import java.util.List;

/** {@code loopkeeper show RUN}. */
public final class ShowVerb implements Verb {
    private static final int ITERATIONS = 5;

    private final RootCommand root;
    private final RunArgument run = new RunArgument();
    private final JsonOption json = new JsonOption();

    public ShowVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return new Arguments(this, "show", "Show one run.").and(run).and(json);
    }

    @Override
    public Integer call() {
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            run.find(facts, root);
            json.print(root.console(), facts.run(run.id()), found -> {
                RunReport.whole(root, found, facts.advice(found), committed(facts, found))
                        .forEach(root.console()::print);
                if (!found.atRest() && session.server().isPresent()) {
                    root.console().print("  follow it with: " + root.hint("watch " + found.runId()));
                }
            });
        }
        return ExitCodes.DONE;
    }

    /** The newest iterations; none of a run without a worktree of its own, whose iterations commit nothing. */
    private static List<IterationRow> committed(RunFacts facts, Run found) {
        return found.git().isPresent() ? facts.newestIterations(found.runId(), ITERATIONS) : List.of();
    }
}
