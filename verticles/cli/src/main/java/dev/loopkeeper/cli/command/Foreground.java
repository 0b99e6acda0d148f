package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.FeedMessage;
import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.follow.ProgressLines;
import dev.loopkeeper.cli.follow.RunFollow;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Footer;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Deadline;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.view.Run;
import java.time.Clock;
import java.time.ZoneId;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Follows a run until it pauses or has ended. It can continue with another server; no event is printed twice. */
final class Foreground {
    private final RootCommand root;
    private final boolean json;
    private OptionalLong received = OptionalLong.empty();
    /** Whether the last line gives the reason of the pause or the end. */
    private boolean reasonPrinted;

    Foreground(RootCommand root, boolean json) {
        this.root = root;
        this.json = json;
    }

    /** Prints progress lines and finally the outcome; returns the exit code. */
    int follow(Api api, String runId, FeedReader feed) {
        Document<Run> run = json
                ? RunFollow.silently(api, runId, Deadline.never()).until(feed, Run::atRest)
                : followPrinting(api, runId, feed);
        return outcome(run, RunFacts.of(api));
    }

    /** Follows a run that this process executes, and then waits for the other runs that it executes. */
    int followHere(Session session, LocalRuntime folder, String runId, FeedReader feed) {
        int code = follow(folder.api(), runId, feed);
        folder.background();
        new OtherRuns(root, session.vertx().eventBus(), OtherRuns.PATIENCE).await();
        return code;
    }

    /** Prints the outcome of this run, which is at rest; returns the exit code. */
    int outcome(Document<Run> run, RunFacts facts) {
        RunReport.print(root, json, reasonPrinted, run, facts);
        return root.exitAs(run.view());
    }

    static Footer footer(RootCommand root, Api api, String runId, String hint) {
        String address = api.location().url() + "/#/runs/" + Api.encoded(runId);
        return new Footer(root.console(), Clock.systemUTC(), hint, address);
    }

    /** Adds to the footer what happened before: the newest verdicts and the running step. */
    static void begin(RootCommand root, Footer footer, Api api, String runId) {
        if (root.console().screen().isEmpty()) {
            return;
        }
        RunFacts facts = RunFacts.of(api);
        facts.newestIterations(runId, Footer.VERDICTS).stream()
                .filter(row -> row.endedAt().isPresent())
                .forEach(row -> row.verdict()
                        .flatMap(word -> WireName.find(Verdict.class, word))
                        .ifPresent(verdict -> footer.showVerdict(row.iteration(), verdict)));
        facts.newestSteps(runId, 1).stream()
                .filter(step -> step.endedAt().isEmpty())
                .forEach(step -> footer.began(step.stepId(), step.agent(), step.startedAt()));
    }

    static void update(Footer footer, FeedMessage message) {
        message.event().ifPresent(event -> message.at().ifPresent(at -> footer.update(event, at)));
    }

    static boolean namesReason(FeedMessage message) {
        return message.event()
                .filter(event -> event instanceof RunPaused || event instanceof RunEnded)
                .isPresent();
    }

    private Document<Run> followPrinting(Api api, String runId, FeedReader feed) {
        ProgressLines lines = new ProgressLines(root.console(), ZoneId.systemDefault(), false, root::hint);
        try (Footer footer = footer(root, api, runId, "Ctrl-C stops it")) {
            begin(root, footer, api, runId);
            Consumer<Document<FeedMessage>> listener = message -> {
                lines.of(message.view()).forEach(footer::print);
                reasonPrinted = namesReason(message.view());
                update(footer, message.view());
            };
            RunFollow follow = new RunFollow(api, runId, listener, footer::show, Deadline.never());
            received.ifPresent(follow::after);
            try {
                return follow.until(feed, Run::atRest);
            } finally {
                received = OptionalLong.of(follow.received());
            }
        }
    }
}
