package dev.loopkeeper.embed;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ReapOrphans;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ListOpenSteps;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.PolicyReader;
import dev.loopkeeper.manifest.read.PolicyReading;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.Wording;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PolicyChangedException;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.ClearPool;
import dev.loopkeeper.store.StoreChannels.GetCaps;
import dev.loopkeeper.store.StoreChannels.GetPolicy;
import dev.loopkeeper.store.StoreChannels.GetPools;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.submit.SubmitOptions;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.StepPage;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Sends typed requests to the scheduler. A refusal becomes a failed future. */
record RunClient(EventBus bus, Submissions submissions) {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONG = TIMEOUT.plusMinutes(5);
    private static final int MOST_STEPS = 1000;

    Future<Submitted> submit(Path manifest, RunOptions options) {
        return submissions.fromFile(manifest, overlay(options)).compose(checked -> start(checked, options));
    }

    Future<Submitted> submit(String manifest, RunOptions options) {
        return submissions
                .fromDocument(TextNode.valueOf(manifest), overlay(options))
                .compose(checked -> start(checked, options));
    }

    private static SubmitOptions overlay(RunOptions options) {
        return new SubmitOptions(
                options.values.workspace().map(folder -> folder.toAbsolutePath().toString()),
                options.values.variables(),
                options.values.overrides());
    }

    private Future<Submitted> start(Submission checked, RunOptions options) {
        if (checked instanceof Submission.Refused refused) {
            return Future.failedFuture(new InvalidManifestException(refused.problems()));
        }
        Submission.Accepted ready = (Submission.Accepted) checked;
        StartRun command = new StartRun(
                options.values.runId(),
                ready.document(),
                ready.workspace(),
                ready.baseDir(),
                options.values.start(),
                options.values.idempotencyKey(),
                ready.file(),
                Optional.empty(),
                options.values.startAt(),
                options.values.trace(),
                Requester.LOCAL,
                Optional.empty());
        return answer(RunChannels.START, command)
                .map(answer -> new Submitted(answer.as(Run.class), answer.created(), ready.warnings()));
    }

    Future<AppliedPolicy> policy() {
        return StoreChannels.POLICY.ask(bus, new GetPolicy(), TIMEOUT);
    }

    Future<Pools> pools() {
        return StoreChannels.POOLS.ask(bus, new GetPools(), TIMEOUT);
    }

    Future<Pools.Entry> clearPool(String name) {
        return StoreChannels.CLEAR_POOL
                .ask(bus, new ClearPool(name), TIMEOUT)
                .compose(pools -> pools.pool(name)
                        .map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(new RunRefusedException(new Refusal(
                                RefusalCode.NOT_FOUND, "the policy has no pool " + Wording.quoted(name))))));
    }

    Future<Caps> caps() {
        return StoreChannels.CAPS.ask(bus, new GetCaps(), TIMEOUT);
    }

    Future<AppliedPolicy> apply(String policy, OptionalLong expected) {
        PolicyReading reading = PolicyReader.read(policy);
        if (reading instanceof PolicyReading.Invalid invalid) {
            return Future.failedFuture(new InvalidManifestException(invalid.problems()));
        }
        PutPolicy change = new PutPolicy(((PolicyReading.Valid) reading).document(), expected, "local");
        return StoreChannels.PUT_POLICY
                .ask(bus, change, TIMEOUT)
                .recover(cause -> Future.failedFuture(
                        cause instanceof PolicyChangedException
                                ? new RunRefusedException(new Refusal(RefusalCode.POLICY_CHANGED, cause.getMessage()))
                                : cause));
    }

    <Q, V extends Record> Future<V> ask(RequestChannel<Q, RunAnswer> channel, Q question, Class<V> kind) {
        return answer(channel, question).map(answer -> answer.as(kind));
    }

    <Q> Future<Run> run(RequestChannel<Q, RunAnswer> channel, Q question) {
        return answer(channel, question)
                .compose(answer -> answer.run()
                        .map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(new RunRefusedException(damaged(answer)))));
    }

    private static Refusal damaged(RunAnswer answer) {
        String damage = answer.document().orElseThrow().path("damage").asText();
        return new Refusal(RefusalCode.STORE_UNAVAILABLE, "the record of the run is damaged: " + damage);
    }

    /** Sends a request that may take as long as processes need to end, or git to read. */
    <Q, A> Future<A> askLong(RequestChannel<Q, A> channel, Q question) {
        return channel.ask(bus, question, LONG);
    }

    /** Returns the warnings of a valid manifest; fails as {@link #submit} does. */
    static Future<List<ManifestProblem>> warnings(Future<Submission> checked) {
        return checked.compose(submission -> submission instanceof Submission.Refused refused
                ? Future.failedFuture(new InvalidManifestException(refused.problems()))
                : Future.succeededFuture(((Submission.Accepted) submission).warnings()));
    }

    Future<List<ManifestProblem>> validate(Path manifest, RunOptions options) {
        return warnings(submissions.fromFile(manifest, overlay(options)));
    }

    Future<List<ManifestProblem>> validate(String manifest, RunOptions options) {
        return warnings(submissions.fromDocument(TextNode.valueOf(manifest), overlay(options)));
    }

    Future<KillReceipt> kill(String runId, String role, boolean now) {
        return answered(askLong(RunChannels.KILL, new KillRole(runId, role, now)))
                .map(answer -> answer.as(KillReceipt.class));
    }

    /** Spares steps that are not adopted yet, and runs that cannot be read. */
    Future<Reaped> reap(boolean dryRun) {
        return SchedulerChannels.OPEN_STEPS
                .ask(bus, new ListOpenSteps(Optional.empty()), TIMEOUT)
                .compose(open -> askLong(
                        ProcessChannels.REAP,
                        new ReapOrphans(dryRun, open.steps(), open.unreadable(), Optional.empty())));
    }

    private <Q> Future<RunAnswer> answer(RequestChannel<Q, RunAnswer> channel, Q question) {
        return answered(channel.ask(bus, question, TIMEOUT));
    }

    private static Future<RunAnswer> answered(Future<RunAnswer> asked) {
        return asked.compose(answer -> answer.refusal()
                .<Future<RunAnswer>>map(refusal -> Future.failedFuture(new RunRefusedException(refusal)))
                .orElseGet(() -> Future.succeededFuture(answer)));
    }

    Future<StepPage> steps(String runId, int limit, Optional<String> cursor) {
        if (limit < 1 || limit > MOST_STEPS) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST_STEPS + ", was " + limit);
        }
        ListSteps question = ListSteps.at(cursor.orElse(ListSteps.OLDEST), runId, limit)
                .orElseThrow(() -> new IllegalArgumentException("cursor must be the nextCursor of a page of steps"));
        return ask(RunChannels.STEP_PAGE, question, StepPage.class);
    }

    static Future<Runs> list(EventStore store, RunFilter filter) {
        RunQuery question = new RunQuery(
                filter.statuses.stream().map(RunStatus::wire).collect(Collectors.toSet()), filter.limit, filter.cursor);
        return store.list(question)
                .map(page -> new Runs(
                        page.runs().stream()
                                .map(run -> ViewJson.read(run.shown(Instants.now()), Runs.Entry.class))
                                .toList(),
                        page.nextCursor()));
    }
}
