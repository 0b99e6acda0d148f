package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.ResumeSuggestion;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Times;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.Run;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper explain RUN}. */
@Command(name = "explain", description = "Explain why a run has its status, and which actions are possible.")
public final class ExplainCommand extends OneRunCommand {
    /** The type of an event that repeats the ending, which follows it. */
    private static final String REPEATED = "terminal-exhaustion";
    /** How many events a screen takes beside the reason. */
    private static final int NEWEST = 10;

    @Option(names = "--events", description = "Print all events that led here; else the last ten.")
    private boolean all;

    @Override
    public Integer call() {
        return withRun(facts -> {
            if (json.wanted()) {
                print(JsonOption.pretty(facts.explain(run.id()).json()));
                return;
            }
            Run found = facts.run(run.id()).view();
            Explanation explanation = facts.explain(run.id()).view();
            RunReport.why(root, found, facts).forEach(this::print);
            new ResumeSuggestion(explanation).effects().forEach(effect -> print("  " + effect));
            print(explanation.chain().stream()
                    .filter(link -> !link.type().equals(REPEATED))
                    .toList());
        });
    }

    private void print(List<Explanation.Link> chain) {
        int from = all ? 0 : Math.max(0, chain.size() - NEWEST);
        print(
                from == 0
                        ? "  events that led here:"
                        : "  the last " + NEWEST + " of " + chain.size()
                                + " events that led here; --events prints all:");
        Times times = Times.here();
        chain.subList(from, chain.size()).forEach(link -> print(times, link));
    }

    /** In other texts a time may be the words of an agent. */
    private static boolean hasTime(Explanation.Link link) {
        return link.type().equals("run.waiting") || link.type().equals("step.retrying");
    }

    private void print(Times times, Explanation.Link link) {
        String prefix = link.sequence() + "  " + times.moment(link.at());
        print("    " + prefix + "  " + Words.shown(hasTime(link) ? times.local(link.text()) : link.text()));
    }
}
