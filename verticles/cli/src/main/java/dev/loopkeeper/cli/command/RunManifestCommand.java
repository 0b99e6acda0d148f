package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.FeedReader;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.LogOptions;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.ServerLocation;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.OwnEnvironment;
import dev.loopkeeper.work.OwnUmask;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper run MANIFEST}. */
@Command(
        name = "run",
        description =
                "Run a manifest in the foreground, and exit when it has ended or waits for a person. With --server, or where"
                        + " another process owns the data folder, that server runs it and this command follows.",
        footer = {
            "",
            "Ctrl-C stops the run and all its processes, a second one kills them at once; resume it later with:",
            "loopkeeper resume RUN"
        })
public final class RunManifestCommand extends FactsCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Mixin
    private final ManifestOptions manifest = new ManifestOptions();

    @Option(names = "--run-id", paramLabel = "ID", description = "Names the run; default NAME-DATE-TIME-XXXX.")
    private String runId;

    @Mixin
    private final LogOptions logs = new LogOptions();

    @Override
    public Integer call() {
        checkRunId(runId);
        try (Session session = root.open()) {
            Map<String, String> environment = root.server().isPresent()
                    ? ManifestOptions.ofServer(root)
                    : root.console().environment();
            Submission.Accepted ready = manifest.require(session, root, environment);
            manifest.warn(root.console(), ready);
            return execute(session, ready);
        }
    }

    /**
     * Executes the run: on the named server; otherwise here if the data folder is free, or on the folder's owner, which
     * may change.
     */
    private int execute(Session session, Submission.Accepted ready) {
        String key = UUID.randomUUID().toString();
        if (root.server().isPresent()) {
            return byNamed(session.requireServer(), ready, key);
        }
        return session.byOwner(
                Session.FOR_OWNER, owner -> byOwner(session, owner, ready, key), () -> here(session, ready, key));
    }

    private int here(Session session, Submission.Accepted ready, String key) {
        try (LocalRuntime folder = LocalRuntime.takeOver(session, root, Optional.empty(), logs)) {
            return execute(session, folder, ready, key);
        }
    }

    private Optional<Integer> byOwner(Session session, Api api, Submission.Accepted ready, String key) {
        refuseWithoutSlot(api);
        logs.leaveTo(api.location(), root);
        Foreground foreground = new Foreground(root, json.wanted());
        String submitted;
        try (RemoteRun remote = new RemoteRun(root, api)) {
            Optional<String> accepted = remote.submit(body(api, ready), key);
            if (accepted.isEmpty()) {
                return Optional.empty();
            }
            sayExecutor(api);
            Optional<Integer> code = remote.follow(foreground);
            if (code.isPresent()) {
                return code;
            }
            submitted = accepted.get();
        }
        return Optional.of(new RunTakeover(root, session, logs, foreground, submitted).run());
    }

    /**
     * Executes the run on the named server. If that cannot be reached the command ends, as the run is meant for another
     * machine.
     */
    private int byNamed(Api api, Submission.Accepted ready, String key) {
        refuseWithoutSlot(api);
        logs.leaveTo(api.location(), root);
        try (RemoteRun remote = new RemoteRun(root, api)) {
            if (remote.submit(body(api, ready), key).isEmpty()) {
                throw CommandFailure.unreachable(
                        "the server at " + api.location().url()
                                + " cannot be reached, so nothing was started; check --server and LOOPKEEPER_SERVER");
            }
            sayExecutor(api);
            return remote.follow(new Foreground(root, json.wanted()))
                    .orElseThrow(() -> CommandFailure.unreachable(
                            "the connection to " + api.location().url() + " was lost\n" + remote.left()));
        }
    }

    /** The owner of the data folder is on this machine, where the environment of this command means the same. */
    private ObjectNode body(Api api, Submission.Accepted ready) {
        ObjectNode body = SubmitCommand.body(ready, runId, true);
        if (ServerLocation.process(root, api.location()).isPresent()) {
            Map<String, String> own = new HashMap<>(root.console().environment());
            OwnEnvironment.giveBack(own);
            own.keySet().removeIf(name -> name.startsWith("LOOPKEEPER_") && !name.equals(ClientEnvironment.OUTER));
            body.set("environment", Json.MAPPER.valueToTree(own));
            OwnUmask.read().ifPresent(umask -> body.put("umask", umask));
        }
        return body;
    }

    /** The outer run holds its slot until this command has ended. */
    private void refuseWithoutSlot(Api api) {
        String outer = root.console().environment().get(ClientEnvironment.OUTER);
        if (outer == null || !RunFacts.of(api).knows(outer)) {
            return;
        }
        int slots =
                api.call("GET", "/session", Optional.empty()).path("maxRuns").asInt();
        int taken = slots == 0
                ? 0
                : RunFacts.of(api)
                        .list(Set.of("running", "waiting", "stopping"), Optional.empty(), slots)
                        .view()
                        .runs()
                        .size();
        if (slots > 0 && taken >= slots) {
            throw CommandFailure.refused("this command runs in a step of " + outer + ", and all run slots ("
                    + slots + ") of the server at " + api.location().url()
                    + " are taken: this run would wait for its own step. Start the server with a larger --max-runs,"
                    + " or name another data folder with --data");
        }
    }

    private void sayExecutor(Api api) {
        warn(ServerLocation.process(root, api.location())
                .map(pid -> "process " + pid + " executes the run, with the environment and umask of this command;"
                        + " another process that continues the run later uses its own")
                .orElse("the server at " + api.location().url()
                        + " executes the run, with its own environment and umask"));
    }

    static void checkRunId(String runId) {
        if (runId != null && !RunId.isValid(runId)) {
            throw CommandFailure.refused(
                    "--run-id must consist of " + RunId.RULE + ", was '" + Words.shown(runId) + "'");
        }
    }

    private int execute(Session session, LocalRuntime folder, Submission.Accepted ready, String key) {
        // Opened before the run exists, so that no event is missed.
        FeedReader feed = FeedReader.open(folder.api(), Optional.empty(), Optional.empty());
        String started = folder.foreground(() -> start(session, ready, key));
        return new Foreground(root, json.wanted()).followHere(session, folder, started, feed);
    }

    /**
     * Starts the run with the idempotency key that was sent to an owner which has ended since: it may already have
     * recorded the run.
     */
    private String start(Session session, Submission.Accepted ready, String key) {
        StartRun question = new StartRun(
                Optional.ofNullable(runId),
                ready.document(),
                ready.workspace(),
                ready.baseDir(),
                true,
                Optional.of(key),
                ready.file(),
                Optional.empty(),
                Optional.empty(),
                TraceContext.of(root.console().environment()),
                Requester.LOCAL,
                Optional.empty());
        try {
            RunAnswer answer =
                    Session.await(RunChannels.START.ask(session.vertx().eventBus(), question, PATIENCE));
            Optional<String> recorded = answer.refusal()
                    .filter(refusal -> refusal.code() == RefusalCode.IDEMPOTENCY_KEY_REUSED)
                    .map(refusal -> refusal.details().get("runId").toString());
            if (recorded.isEmpty()) {
                answer.refusal().ifPresent(RunManifestCommand::refuse);
            }
            return recorded.orElseGet(() -> answer.as(Run.class).runId());
        } catch (ReplyException broken) {
            throw new CommandFailure(ExitCodes.FATAL, "the run could not be started: " + broken.getMessage());
        }
    }

    private static void refuse(Refusal refusal) {
        throw CommandFailure.refused(refusal.message());
    }
}
