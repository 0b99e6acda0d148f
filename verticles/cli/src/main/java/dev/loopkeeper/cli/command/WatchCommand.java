package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.FeedMessage;
import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.follow.LastingFeed;
import dev.loopkeeper.cli.follow.ProgressLines;
import dev.loopkeeper.cli.follow.RepeatedRequest;
import dev.loopkeeper.cli.follow.RunFollow;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Footer;
import dev.loopkeeper.cli.print.FullScreen;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Deadline;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RunChoice;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper watch [RUN]}. */
@Command(
        name = "watch",
        description =
                "Follow one run until it ends, or all runs until interrupted. On a terminal: a full screen with keys to act"
                        + " and the log of one run. --json prints the feed, one message per line.")
public final class WatchCommand extends FactsCommand {
    private static final Duration LOOK = Duration.ofSeconds(30);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "RUN",
            description = RunChoice.DESCRIPTION + " Default all runs.")
    private String given;

    @Option(names = "--plain", fallbackValue = "true", description = "One line per event, also on a terminal.")
    private boolean plain;

    private String runId;
    private boolean reasonPrinted;

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            Optional<Api> server = session.server();
            if (given == null) {
                return watchRuns(server.orElseGet(session::requireServer));
            }
            try (RunFacts facts = RunFacts.of(session, root)) {
                runId = patiently(() -> new RunChoice(facts, root).of(given));
            }
            return server.map(this::watch).orElseGet(() -> withoutServer(session));
        }
    }

    /** Shows the recorded run. One that is paused or has ended does not change without a server. */
    private int withoutServer(Session session) {
        try (StoreFacts facts = new StoreFacts(session.vertx(), root)) {
            Document<Run> run = facts.run(runId);
            show(run, facts);
            if (run.view().status().isEnded() || (run.view().atRest() && !session.isOwned())) {
                return root.exitAs(run.view());
            }
        }
        return watch(session.requireServer());
    }

    private int watch(Api api) {
        Document<Run> shown = patiently(() -> api.look(runId));
        RunFacts facts = RunFacts.of(api);
        boolean over = shown.view().status().isEnded();
        Optional<FullScreen> terminal = over ? Optional.empty() : screen();
        if (terminal.isEmpty()) {
            show(shown, facts);
        }
        Optional<Document<Run>> ended = over
                ? Optional.of(shown)
                : terminal.map(screen -> onScreen(api, screen, Optional.of(runId)))
                        .orElseGet(() -> Optional.of(follow(api, shown)));
        if (!json.wanted() && !over) {
            ended.ifPresent(run -> RunReport.print(root, false, reasonPrinted, run, facts));
        }
        return ended.map(run -> root.exitAs(run.view())).orElse(ExitCodes.DONE);
    }

    /** See {@link RepeatedRequest}. */
    private <T> T patiently(Supplier<T> request) {
        return RepeatedRequest.retry(Deadline.never(), given, request);
    }

    private Optional<FullScreen> screen() {
        return plain || json.wanted() ? Optional.empty() : FullScreen.open(root.console());
    }

    private Optional<Document<Run>> onScreen(Api api, FullScreen terminal, Optional<String> only) {
        try (FullScreen screen = terminal) {
            return new WatchScreen(root, api, screen, only).show();
        }
    }

    private Document<Run> follow(Api api, Document<Run> shown) {
        try (Footer footer = Foreground.footer(root, api, runId, "Ctrl-C leaves it")) {
            if (!json.wanted()) {
                Foreground.begin(root, footer, api, runId);
            }
            if (shown.view().status() == RunStatus.PAUSED) {
                sayHowToLeave(footer);
            }
            ProgressLines lines = progressLines();
            Consumer<Run> onChange = json.wanted() ? run -> {} : footer::show;
            Consumer<Document<FeedMessage>> listener = document -> {
                print(document, lines::of, footer::print);
                reasonPrinted = Foreground.namesReason(document.view());
                Foreground.update(footer, document.view());
                if (!json.wanted() && reasonPrinted) {
                    sayWhatContinues(api, footer);
                }
            };
            return new RunFollow(api, runId, listener, onChange, Deadline.never())
                    .until(shown, run -> run.status().isEnded());
        }
    }

    /** Prints what a person can do about a pause. */
    private void sayWhatContinues(Api api, Footer footer) {
        Document<Run> run = patiently(() -> api.look(runId));
        if (run.view().status() == RunStatus.PAUSED) {
            RunReport.outcome(root, run.view(), RunFacts.of(api), true).forEach(footer::print);
            sayHowToLeave(footer);
        }
    }

    /** The lines below a run on a terminal say the same. */
    private void sayHowToLeave(Footer footer) {
        if (!json.wanted() && root.console().screen().isEmpty()) {
            footer.print("  this command follows the run once it continues; Ctrl-C leaves it paused");
        }
    }

    private int watchRuns(Api api) {
        Optional<FullScreen> terminal = screen();
        if (terminal.isEmpty()) {
            return watchAll(api);
        }
        Optional<Document<Run>> unused = onScreen(api, terminal.get(), Optional.empty());
        return ExitCodes.DONE;
    }

    private int watchAll(Api api) {
        ProgressLines lines = progressLines();
        try (LastingFeed feed = patiently(() -> LastingFeed.open(api, Optional.empty()))) {
            while (true) {
                feed.next(LOOK).ifPresent(document -> print(document, lines::of, this::print));
            }
        } catch (FeedReader.EndedException ended) {
            throw ended.failure(api, root, "watch");
        }
    }

    private void show(Document<Run> run, RunFacts facts) {
        if (json.wanted()) {
            ObjectNode snapshot = Json.MAPPER.createObjectNode().put("type", "snapshot");
            snapshot.putArray("runs").add(run.json());
            print(snapshot.toString());
        } else {
            RunReport.why(root, run.view(), facts).forEach(this::print);
        }
    }

    private ProgressLines progressLines() {
        return new ProgressLines(root.console(), ZoneId.systemDefault(), given == null, root::hint);
    }

    private void print(
            Document<FeedMessage> document, Function<FeedMessage, List<String>> lines, Consumer<String> printer) {
        if (json.wanted()) {
            printer.accept(document.json().toString());
            return;
        }
        FeedMessage message = document.view();
        message.runs().stream()
                .flatMap(entry -> entry.run().stream())
                .forEach(run -> printer.accept(RunReport.headline(root.console(), run)));
        lines.apply(message).forEach(printer);
    }
}
