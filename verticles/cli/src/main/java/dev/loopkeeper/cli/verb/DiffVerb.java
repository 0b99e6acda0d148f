package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.view.Diff;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code loopkeeper diff RUN [STEP]}. */
@Command(name = "diff", description = "Print what a run, or one step of it, has changed in its worktree.")
public final class DiffVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private RunArgument run;

    @Parameters(index = "1", arity = "0..1", paramLabel = "STEP", description = "Id of the step, e.g. build.3.dev.1.")
    private String stepId;

    @Mixin
    private JsonOption json;

    public DiffVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        try (Session session = root.open();
                RunFacts facts = RunFacts.of(session, root)) {
            run.find(facts, root);
            Document<Diff> diff = facts.diff(run.id(), Optional.ofNullable(stepId));
            if (json.wanted()) {
                root.console().print(JsonOption.pretty(diff.json()));
            } else {
                print(diff.view());
            }
        }
        root.console().out().flush();
        return ExitCodes.DONE;
    }

    private void print(Diff diff) {
        if (root.console().screen().isPresent()) {
            diff.diff().lines().map(OneLine::readable).forEach(root.console()::print);
        } else {
            // What git apply, a file or a pager is given is what git says, letter by letter.
            root.console().out().print(diff.diff());
        }
        if (diff.truncated()) {
            root.console().warn("the rest is not shown; it is between " + diff.from() + " and " + diff.to());
        }
    }
}
