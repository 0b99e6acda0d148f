package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.bundle.BundleException;
import dev.loopkeeper.bundle.BundleManifest;
import dev.loopkeeper.bundle.FolderFiles;
import dev.loopkeeper.bundle.RunExport;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.data.StepLog;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.retention.Retention;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.store.AppliedPolicy;
import dev.loopkeeper.store.CapSums;
import dev.loopkeeper.store.EventStore.RunPage;
import dev.loopkeeper.store.Explanations;
import dev.loopkeeper.store.IterationPages;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.ScheduleStatuses;
import dev.loopkeeper.store.StepContexts;
import dev.loopkeeper.store.StepPages;
import dev.loopkeeper.store.StoreChannels.PruneRuns;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.view.Diff;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.IterationRow;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.ScheduleStatus;
import dev.loopkeeper.view.ScheduleStatus.Schedules;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads facts from the store while no server serves it. Changes nothing. */
public final class StoreFacts implements RunFacts {
    private static final String EVENTS = "events.db";
    private static final Duration PRUNE_PATIENCE = Duration.ofMinutes(5);

    private final Vertx vertx;
    private final RootCommand root;
    private final Path folder;
    private final Optional<OpenStore> store;

    public StoreFacts(Vertx vertx, RootCommand root) {
        this.vertx = vertx;
        this.root = root;
        this.folder = root.dataFolder().path();
        this.store = open(vertx, folder);
    }

    private static Optional<OpenStore> open(Vertx vertx, Path folder) {
        if (isOfNode(folder)) {
            throw CommandFailure.unreachable(folder + " is the data folder of a cluster node: its runs are in the"
                    + " database of the cluster. Send the request to a running node with --data or --server");
        }
        if (!Files.exists(folder.resolve(EVENTS))) {
            return Optional.empty();
        }
        try {
            return Optional.of(Session.await(SqliteEventStore.openReadOnly(vertx, folder)));
        } catch (StoreException damaged) {
            throw CommandFailure.unreachable(damaged.getMessage());
        }
    }

    /** Returns whether the runs of this data folder are in a cluster's database: a node keeps its lease in the folder. */
    public static boolean isOfNode(Path folder) {
        return !Files.exists(folder.resolve(EVENTS)) && Files.exists(folder.resolve("cluster"));
    }

    @Override
    public Document<Runs> list(Set<String> statuses, Optional<String> prefix, int limit) {
        return Pages.runs(limit, (cursor, left) -> {
            RunQuery question = new RunQuery(statuses, left, cursor, prefix);
            RunPage found = ask(new RunPage(List.of(), Optional.empty()), open -> open.list(question));
            ObjectNode page = Json.MAPPER.createObjectNode();
            ArrayNode runs = page.putArray("runs");
            found.runs().forEach(row -> runs.add(shown(row)));
            return page.put("nextCursor", found.nextCursor().orElse(null));
        });
    }

    /** Asks the store; returns {@code none} if there is no store. */
    private <T> T ask(T none, Function<OpenStore, Future<T>> question) {
        return store.map(open -> Session.await(question.apply(open))).orElse(none);
    }

    /**
     * Asks the store about a run. A record that is damaged or needs a newer version ends the command.
     *
     * @return empty also if there is no store
     */
    private <T> Optional<T> askAbout(String runId, Function<OpenStore, Future<Optional<T>>> question) {
        try {
            return ask(Optional.empty(), question);
        } catch (StoreException | CheckpointException unreadable) {
            throw CommandFailure.unreachable("run " + runId + " cannot be read: " + unreadable.getMessage());
        }
    }

    /** Asks the store about a run that it has, see {@link #askAbout}; an unknown run ends the command. */
    private <T> T askKnown(String runId, Function<OpenStore, Future<T>> question) {
        known(runId);
        return askAbout(runId, open -> question.apply(open).map(Optional::of)).orElseThrow();
    }

    @Override
    public BundleManifest export(String runId, Path file) {
        known(runId);
        try {
            return new RunExport(store.orElseThrow(), new FolderFiles(folder)).export(runId, file, Instants.now());
        } catch (BundleException refused) {
            throw CommandFailure.refused(refused.getMessage());
        }
    }

    /** Returns the ended runs that a prune would remove. */
    public PrunedRuns prunable(PruneRuns question) {
        return store.map(open ->
                        Session.await(new Retention(vertx, open, folder, gone -> {}).prune(question), PRUNE_PATIENCE))
                .orElseGet(() -> PrunedRuns.none(true));
    }

    @Override
    public boolean knows(String runId) {
        return ask(Optional.empty(), open -> open.find(runId)).isPresent();
    }

    @Override
    public Document<Run> run(String runId) {
        Document<Run> run = known(runId);
        warnIfAbandoned(run.view());
        return run;
    }

    /** Returns the recorded run object; an unknown run ends the command. */
    @CanIgnoreReturnValue
    public Document<Run> known(String runId) {
        return askAbout(runId, open -> open.find(runId))
                .map(row -> new Document<>(shown(row), Run.class))
                .orElseThrow(() -> RunChoice.unknown(runId, this, root));
    }

    /** Returns the run object; while no process owns the folder, the active time ends with the newest event. */
    private JsonNode shown(RunRow row) {
        boolean active = row.view().path("activeSince").isTextual();
        boolean abandoned = active && FolderOwner.alive(root.dataFolder()).isEmpty();
        return row.shown(abandoned ? newestEventAt(row) : Instants.now());
    }

    /** Returns when the newest event was recorded; when the run was created if the event cannot be read. */
    private Instant newestEventAt(RunRow row) {
        long before = row.view().path("sequence").asLong() - 1;
        try {
            return Session.await(store.orElseThrow().events(row.runId(), before, 1)).stream()
                    .map(found -> found.event().at())
                    .findFirst()
                    .orElse(row.createdAt());
        } catch (StoreException unreadable) {
            return row.createdAt();
        }
    }

    @Override
    public String source() {
        return "in " + folder;
    }

    @Override
    public boolean abandoned(Run run) {
        return !run.atRest() && FolderOwner.alive(root.dataFolder()).isEmpty();
    }

    /** Warns that the recorded status may be outdated, since no server executes the run. */
    private void warnIfAbandoned(Run run) {
        if (run.atRest()) {
            return;
        }
        OptionalLong owner = FolderOwner.alive(root.dataFolder());
        root.console()
                .warn(
                        owner.isPresent()
                                ? "process " + owner.getAsLong() + " executes this run but serves no URL"
                                : "no process executes this run, although its recorded status is "
                                        + run.status().wire());
    }

    @Override
    public Document<Explanation> explain(String runId) {
        return Document.of(askKnown(
                runId,
                open -> open.load(runId)
                        .compose(run -> new Explanations(vertx, open)
                                .of(run.orElseThrow().state()))));
    }

    @Override
    public List<IterationRow> newestIterations(String runId, int limit) {
        return askKnown(runId, open -> new IterationPages(vertx, open).page(runId, OptionalLong.empty(), limit))
                .iterations();
    }

    @Override
    public List<Step> newestSteps(String runId, int limit) {
        return Pages.newestSteps(limit, (cursor, left) -> {
            ListSteps question =
                    ListSteps.at(cursor.orElse(ListSteps.NEWEST), runId, left).orElseThrow();
            return askKnown(runId, open -> new StepPages(vertx, open).page(question, step -> OptionalLong.empty()));
        });
    }

    @Override
    public Document<Step> step(String runId, String stepId) {
        return Document.of(ofStep(
                runId, stepId, open -> new StepPages(vertx, open).find(runId, stepId, step -> OptionalLong.empty())));
    }

    @Override
    public Document<LaunchContext> context(String runId, String stepId) {
        return Document.of(ofStep(runId, stepId, open -> new StepContexts(vertx, open).find(runId, stepId)));
    }

    private <T> T ofStep(String runId, String stepId, Function<OpenStore, Future<Optional<T>>> question) {
        return askKnown(runId, question)
                .orElseThrow(() -> CommandFailure.unreachable("run " + runId + " has no step " + stepId));
    }

    @Override
    public void log(String runId, String stepId, String stream, LogSelection selection, LogSink sink) {
        StepLog log = StepLog.of(folder, runId, step(runId, stepId).view().stepId(), stream);
        try {
            if (stream.equals("stdout")) {
                sink.reads(log.state().output().wire());
            }
            long from = selection.tail().isPresent() ? log.tail(selection.tail().getAsLong()) : 0;
            LogPart part = log.part(from, StepLog.CHUNK);
            while (part.bytes().length > 0) {
                sink.accept(part.bytes());
                part = log.part(part.next(), StepLog.CHUNK);
            }
        } catch (IOException unreadable) {
            throw CommandFailure.unreachable("the " + stream + " of " + stepId + " cannot be read: " + unreadable);
        }
    }

    @Override
    public AppliedPolicy policy() {
        try {
            return ask(Optional.empty(), open -> open.policyOtherThan(0))
                    .map(AppliedPolicy::of)
                    .orElse(AppliedPolicy.NONE);
        } catch (StoreException unreadable) {
            throw CommandFailure.unreachable(unreadable.getMessage());
        }
    }

    @Override
    public Document<Pools> pools() {
        return Document.of(Pools.of(policy().policy(), ask(Map.of(), OpenStore::pools), Instants.now()));
    }

    @Override
    public Document<Caps> caps() {
        Policy policy = policy().policy();
        return Document.of(ask(new Caps(List.of()), open -> new CapSums(open).show(policy, Instants.now())));
    }

    @Override
    public Document<Schedules> schedules() {
        Policy policy = policy().policy();
        return Document.of(ask(new Schedules(List.of()), open -> new ScheduleStatuses(open, policy).all()));
    }

    @Override
    public Document<ScheduleStatus> schedule(String name) {
        Policy policy = policy().policy();
        Schedule schedule = policy.schedule(name)
                .orElseThrow(() -> CommandFailure.unreachable(ScheduleStatuses.unknown(policy, name)));
        return Document.of(Session.await(new ScheduleStatuses(store.orElseThrow(), policy).of(schedule)));
    }

    @Override
    public void close() {
        store.ifPresent(open -> Session.await(open.close()));
    }

    @Override
    public Document<Diff> diff(String runId, Optional<String> stepId) {
        Run run = known(runId).view();
        return Document.of(new LocalGit(vertx, folder).diff(run, commits(run, stepId)));
    }

    @Override
    public void patch(String runId, Optional<String> stepId, Consumer<byte[]> sink) {
        Run run = known(runId).view();
        new LocalGit(vertx, folder).patch(run, commits(run, stepId), sink);
    }

    /** Returns the commits between which a run, or a step of it, changed something. */
    private StepPages.Commits commits(Run run, Optional<String> stepId) {
        GitWork work = LocalGit.workOf(run);
        return stepId.map(id ->
                        askKnown(run.runId(), open -> new StepPages(vertx, open).commits(run.runId(), id, work)))
                .orElseGet(() -> new StepPages.Commits(work.base(), work.head()));
    }
}
