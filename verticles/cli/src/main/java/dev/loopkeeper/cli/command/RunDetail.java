package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.RunsBoard;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.view.Run;
import java.util.List;
import java.util.Optional;

/**
 * Reads what the pane of a full screen shows of one run, and follows its log. Used by one thread; its methods block.
 */
final class RunDetail implements AutoCloseable {
    private final RootCommand root;
    private final RunFacts facts;
    private final Runnable news;
    private Optional<LogPane> log = Optional.empty();

    /** @param news called by other threads whenever the log has more */
    RunDetail(RootCommand root, RunFacts facts, Runnable news) {
        this.root = root;
        this.facts = facts;
        this.news = news;
    }

    /** The details of a run, and the source of its log. */
    record Found(RunsBoard.Detail detail, Optional<LogPane> log) {
        /** Returns the details with the current lines of the log. */
        RunsBoard.Detail now() {
            return new RunsBoard.Detail(
                    detail.runId(),
                    detail.title(),
                    detail.report(),
                    log.map(LogPane::lines).orElse(List.of()));
        }
    }

    /** Returns the details of a run, or the message of the failure. */
    Found of(String runId) {
        try {
            Run run = facts.run(runId).view();
            List<String> report = RunReport.why(root, run, facts).stream()
                    .map(OneLine::readable)
                    .toList();
            Optional<String> step = facts.newestStep(runId);
            follow(runId, step);
            return new Found(new RunsBoard.Detail(runId, step.orElse("no step yet"), report, List.of()), log);
        } catch (CommandFailure failed) {
            return new Found(
                    new RunsBoard.Detail(runId, "", List.of(failed.getMessage()), List.of()), Optional.empty());
        }
    }

    private void follow(String runId, Optional<String> step) {
        if (log.filter(pane -> step.isPresent() && pane.shows(runId, step.get()))
                .isEmpty()) {
            close();
            log = step.map(stepId -> new LogPane(facts, runId, stepId, news));
        }
    }

    @Override
    public void close() {
        log.ifPresent(LogPane::close);
        log = Optional.empty();
    }
}
