package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.follow.ResumeSuggestion;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.EnumNames;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.LogOptions;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.cli.session.TokenRefused;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.submit.TextFile;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.view.Run;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper resume RUN [ACTION]}. */
@Command(
        name = "resume",
        description = "Continue a run. Without a server this process executes it, as run does.",
        footer = {"", "See what a resume needs: loopkeeper explain RUN"})
public final class ResumeCommand extends OneRunCommand {
    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ACTION",
            completionCandidates = ResumeCommand.Actions.class,
            description = "${COMPLETION-CANDIDATES}; else the first that explain allows.")
    private String action;

    @Mixin
    private final ResumeOptions options = new ResumeOptions();

    @Mixin
    private final NewManifest manifest = new NewManifest();

    @Option(
            names = "--dry-run",
            fallbackValue = "true",
            description = "Only show what would be kept and what would run again, and why.")
    private boolean dryRun;

    @Option(
            names = "--wait",
            fallbackValue = "true",
            description = "Wait until the run pauses or ends, and exit with its code.")
    private boolean wait;

    @Mixin
    private final LaterOption later = new LaterOption();

    private OpenQuestions open = OpenQuestions.NONE;

    @Mixin
    private final LogOptions logs = new LogOptions();

    /** The names of the actions. */
    static final class Actions extends EnumNames<ResumeAction> {
        Actions() {
            super(ResumeAction.class);
        }
    }

    @Override
    public Integer call() {
        try (Session session = root.open()) {
            run.find(session, root);
            return session.byServer(
                    Session.FOR_OWNER, api -> throughServer(session, api), () -> withoutServer(session));
        }
    }

    private int withoutServer(Session session) {
        if (later.isGiven()) {
            throw CommandFailure.refused(
                    "--at requires a server, which resumes the run then; start one with: " + root.hint("serve"));
        }
        Run recorded = recorded(session);
        // The record says that the run is active although no process executes it.
        boolean abandoned = isActive(recorded);
        if (abandoned && manifest.isGiven()) {
            throw CommandFailure.refused(
                    run.id() + " is open and not paused, so its manifest cannot change; continue it with: "
                            + root.hint("resume " + run.id()) + ", pause it, then resume it with --manifest");
        }
        answerQuestions(recorded);
        try (LocalRuntime folder = LocalRuntime.takeOver(session, root, Optional.of(run.id()), logs)) {
            return here(session, folder, abandoned);
        }
    }

    private Run recorded(Session session) {
        try (StoreFacts facts = new StoreFacts(session.vertx(), root)) {
            return facts.known(run.id()).view();
        }
    }

    /** Reads an answer to each open question; without a terminal the resume is refused. */
    private void answerQuestions(Run run) {
        boolean ends = ResumeAction.STOP_LOOP_NOW.wire().equals(action);
        open = ends || !options.leavesQuestions() ? OpenQuestions.NONE : OpenQuestions.of(run);
        if (open.isEmpty() || dryRun) {
            return;
        }
        if (!asks()) {
            throw CommandFailure.refused(open.text(false));
        }
        options.answer(open.ask(root.console()));
    }

    private boolean asks() {
        return root.console().keyboard().isPresent();
    }

    private int throughServer(Session session, Api api) {
        logs.leaveTo(api.location(), root);
        checkManifest(session, api);
        answerQuestions(api.look(run.id()).view());
        if (dryRun) {
            return preview(api);
        }
        FeedReader feed = wait ? FeedReader.open(api, Optional.of(run.id()), Optional.empty()) : null;
        Document<Run> resumed = resume(api);
        if (wait) {
            return new Foreground(root, json.wanted()).follow(api, run.id(), feed);
        }
        print(resumed, shown -> {
            print(RunReport.headline(root.console(), shown));
            lines("changed", changes(resumed));
            print("  follow it with: " + root.hint("watch " + run.id()));
        });
        return ExitCodes.DONE;
    }

    /** Returns what stopped the run, if its ending was abnormal. */
    private Optional<String> stoppedBy(Api api) {
        return api.look(run.id())
                .view()
                .terminalExhaustion()
                .map(record -> run.id() + " ended, " + record.text() + "; this resume continues it");
    }

    private void checkManifest(Session session, Api api) {
        if (manifest.isGiven()) {
            manifest.check(session, root, api, run.id());
        } else {
            warnOfChangedManifest(api);
        }
    }

    /** Warns if the manifest file changed: a run keeps its manifest unless a resume replaces it. */
    private void warnOfChangedManifest(Api api) {
        submittedFile(api)
                .filter(TextFile::isChanged)
                .ifPresent(file -> warn("the manifest " + Words.quoted(file.path())
                        + " has changed since the run was submitted; this resume uses the recorded one. To use"
                        + " the changed one: "
                        + root.hint("resume " + run.id() + " --manifest " + Words.quoted(file.path()))));
    }

    /** Returns the file of the manifest, if there is one and the run can be explained; no command depends on it. */
    private Optional<ManifestFile> submittedFile(Api api) {
        try {
            JsonNode file = RunFacts.of(api).explain(run.id()).json().path("manifestFile");
            return file.isObject() ? Optional.of(ViewJson.read(file, ManifestFile.class)) : Optional.empty();
        } catch (CommandFailure unreadable) {
            return Optional.empty();
        }
    }

    private int here(Session session, LocalRuntime folder, boolean abandoned) {
        Api api = folder.api();
        checkManifest(session, api);
        if (dryRun) {
            return preview(api);
        }
        FeedReader feed = FeedReader.open(api, Optional.of(run.id()), Optional.empty());
        String begun = folder.foreground(() -> begin(api, abandoned));
        return new Foreground(root, json.wanted()).followHere(session, folder, begun, feed);
    }

    private String begin(Api api, boolean abandoned) {
        // A run whose runtime died continues as soon as a process executes it.
        if (isActive(api) || (abandoned && hasEnded(api))) {
            warn("no process executed " + run.id() + "; this command continues it");
        } else {
            resumeUnlessActive(api);
        }
        return run.id();
    }

    /**
     * Returns whether the run has ended without further options: its agent had finished, only the result was not
     * recorded.
     */
    private boolean hasEnded(Api api) {
        return body().isEmpty() && api.look(run.id()).view().status().isEnded();
    }

    /** Resumes the run unless it is already active: a queued run may have started by now. */
    private void resumeUnlessActive(Api api) {
        try {
            Document<Run> resumed = resume(api);
            warn(RunReport.headline(root.console(), resumed.view()));
            changes(resumed).forEach(change -> warn("  changed: " + Words.oneLine(change)));
        } catch (CommandFailure refused) {
            if (!isActive(api)) {
                throw refused;
            }
        }
    }

    /** Returns whether the run is active. */
    private boolean isActive(Api api) {
        return isActive(api.look(run.id()).view());
    }

    private static boolean isActive(Run run) {
        return switch (run.status()) {
            case RUNNING, WAITING, STOPPING -> true;
            case QUEUED, PAUSED, COMPLETED, STOPPED, FAILED -> false;
        };
    }

    private Document<Run> resume(Api api) {
        Optional<String> stopped = stoppedBy(api);
        Document<Run> resumed = resume(api, body(), Run.class);
        stopped.ifPresent(this::warn);
        return resumed;
    }

    private <V extends Record> Document<V> resume(Api api, ObjectNode body, Class<V> kind) {
        try {
            return api.post(Api.run(run.id()) + "/resume", body, kind);
        } catch (TokenRefused refused) {
            throw refused;
        } catch (CommandFailure refused) {
            throw refused.exitCode() == ExitCodes.REFUSED ? advised(api, refused) : refused;
        }
    }

    /** Adds what is needed, as options, and a command that would be accepted. */
    private CommandFailure advised(Api api, CommandFailure refused) {
        try {
            ResumeSuggestion command = suggestion(api);
            // The lines after the first one list the needs, which are given as options.
            StringBuilder text = new StringBuilder(
                    command.needs().isEmpty()
                            ? refused.getMessage()
                            : refused.getMessage().lines().findFirst().orElse(""));
            command.needs().forEach(need -> text.append("\nneeds ").append(need));
            command.line(Optional.ofNullable(action))
                    .ifPresent(line -> text.append("\ntry: ").append(root.hint(line)));
            return new CommandFailure(refused.exitCode(), text.toString());
        } catch (CommandFailure unexplained) {
            return refused;
        }
    }

    private ResumeSuggestion suggestion(Api api) {
        return new ResumeSuggestion(RunFacts.of(api).explain(run.id()).view(), body());
    }

    private void print(Api api, ResumePreview preview, boolean allowed) {
        print(allowed ? "this resume would be accepted" : "this resume would be refused");
        lines("next", preview.next().isEmpty() ? List.of() : List.of(preview.next()));
        lines("missing", preview.missing());
        lines("keeps", preview.kept());
        lines("runs again", preview.redone());
        lines("changed", preview.changes());
        lines("why", List.of(preview.why()));
        if (!allowed) {
            suggestion(api).line(Optional.ofNullable(action)).ifPresent(line -> print("  try: " + root.hint(line)));
        }
    }

    private void lines(String word, List<String> texts) {
        texts.forEach(text -> print("  " + word + ": " + Words.oneLine(text)));
    }

    private ObjectNode body() {
        ObjectNode body = options.body(Optional.ofNullable(action));
        manifest.addTo(body);
        later.addTo(body, "at");
        return body;
    }

    /** Returns what the answer of a resume has beside the run. */
    private static List<String> changes(Document<Run> resumed) {
        return resumed.json()
                .path("changes")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private int preview(Api api) {
        Document<ResumePreview> preview = resume(api, body().put("dryRun", true), ResumePreview.class);
        boolean allowed = preview.view().allowed() && (open.isEmpty() || asks());
        print(preview, shown -> print(api, shown, allowed));
        if (!open.isEmpty()) {
            warn(open.text(asks()));
        }
        return allowed ? ExitCodes.DONE : ExitCodes.REFUSED;
    }
}
