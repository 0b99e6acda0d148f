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
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.data.StepLog;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.policy.Policy;
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
import dev.loopkeeper.store.StoredRun;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

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
            ObjectNode page = Json.MAPPER.createObjectNode();
            ArrayNode runs = page.putArray("runs");
            Optional<RunPage> found =
                    store.map(open -> Session.await(open.list(new RunQuery(statuses, left, cursor, prefix))));
            found.ifPresent(rows -> rows.runs().forEach(row -> runs.add(shown(row))));
            return page.put("nextCursor", found.flatMap(RunPage::nextCursor).orElse(null));
        });
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
        return store.flatMap(open -> Session.await(open.find(runId))).isPresent();
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
        return readable(runId, () -> store.flatMap(open -> Session.await(open.find(runId))))
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

    /** Reads a record; one that is damaged or needs a newer version ends the command. */
    private static <T> T readable(String runId, Supplier<T> record) {
        try {
            return record.get();
        } catch (StoreException | CheckpointException unreadable) {
            throw CommandFailure.unreachable("run " + runId + " cannot be read: " + unreadable.getMessage());
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
        Run run = known(runId).view();
        return readable(runId, () -> {
            OpenStore open = store.orElseThrow();
            StoredRun recorded = Session.await(open.load(run.runId())).orElseThrow();
            Explanation explanation = Session.await(new Explanations(vertx, open).of(recorded.state()));
            return new Document<>(ViewJson.write(explanation), Explanation.class);
        });
    }

    @Override
    public List<IterationRow> newestIterations(String runId, int limit) {
        known(runId);
        return readable(
                        runId,
                        () -> Session.await(new IterationPages(vertx, store.orElseThrow())
                                .page(runId, OptionalLong.empty(), limit)))
                .iterations();
    }

    @Override
    public List<Step> newestSteps(String runId, int limit) {
        known(runId);
        return Pages.newestSteps(limit, (cursor, left) -> {
            ListSteps question =
                    ListSteps.at(cursor.orElse(ListSteps.NEWEST), runId, left).orElseThrow();
            return readable(runId, () -> Session.await(pages().page(question, step -> OptionalLong.empty())));
        });
    }

    @Override
    public Document<Step> step(String runId, String stepId) {
        known(runId);
        return new Document<>(ViewJson.write(found(runId, stepId)), Step.class);
    }

    private Step found(String runId, String stepId) {
        return readable(runId, () -> Session.await(pages().find(runId, stepId, step -> OptionalLong.empty())))
                .orElseThrow(() -> noStep(runId, stepId));
    }

    @Override
    public Document<LaunchContext> context(String runId, String stepId) {
        known(runId);
        return readable(runId, () -> Session.await(new StepContexts(vertx, store.orElseThrow()).find(runId, stepId)))
                .map(found -> new Document<>(ViewJson.write(found), LaunchContext.class))
                .orElseThrow(() -> noStep(runId, stepId));
    }

    private static CommandFailure noStep(String runId, String stepId) {
        return CommandFailure.unreachable("run " + runId + " has no step " + stepId);
    }

    private StepPages pages() {
        return new StepPages(vertx, store.orElseThrow());
    }

    @Override
    public void log(String runId, String stepId, String stream, LogSelection selection, LogSink sink) {
        StepLog log = StepLog.of(folder, runId, found(runId, stepId).stepId(), stream);
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
            return store.flatMap(open -> Session.await(open.policyOtherThan(0)))
                    .map(AppliedPolicy::of)
                    .orElse(AppliedPolicy.NONE);
        } catch (StoreException unreadable) {
            throw CommandFailure.unreachable(unreadable.getMessage());
        }
    }

    @Override
    public Document<Pools> pools() {
        Policy policy = policy().policy();
        Pools pools = store.map(open -> Pools.of(policy, Session.await(open.pools()), Instants.now()))
                .orElseGet(() -> new Pools(List.of()));
        return new Document<>(ViewJson.write(pools), Pools.class);
    }

    @Override
    public Document<Caps> caps() {
        Policy policy = policy().policy();
        Caps caps = store.map(open -> Session.await(new CapSums(open).show(policy, Instants.now())))
                .orElseGet(() -> new Caps(List.of()));
        return new Document<>(ViewJson.write(caps), Caps.class);
    }

    @Override
    public Document<Schedules> schedules() {
        return read(statuses -> statuses.all(), Schedules.class)
                .orElseGet(() -> new Document<>(ViewJson.write(new Schedules(List.of())), Schedules.class));
    }

    @Override
    public Document<ScheduleStatus> schedule(String name) {
        Policy known = policy().policy();
        return known.schedule(name)
                .flatMap(schedule -> read(statuses -> statuses.of(schedule), ScheduleStatus.class))
                .orElseThrow(() -> CommandFailure.unreachable(ScheduleStatuses.unknown(known, name)));
    }

    private <V extends Record> Optional<Document<V>> read(
            Function<ScheduleStatuses, Future<V>> question, Class<V> kind) {
        Policy known = policy().policy();
        return store.map(open ->
                new Document<>(ViewJson.write(Session.await(question.apply(new ScheduleStatuses(open, known)))), kind));
    }

    @Override
    public void close() {
        store.ifPresent(open -> Session.await(open.close()));
    }

    @Override
    public Document<Diff> diff(String runId, Optional<String> stepId) {
        Run run = known(runId).view();
        Diff diff = new LocalGit(vertx, folder).diff(run, commits(run, stepId));
        return new Document<>(ViewJson.write(diff), Diff.class);
    }

    @Override
    public void patch(String runId, Optional<String> stepId, Consumer<byte[]> sink) {
        Run run = known(runId).view();
        new LocalGit(vertx, folder).patch(run, commits(run, stepId), sink);
    }

    /** Returns the commits between which a run, or a step of it, changed something. */
    private StepPages.Commits commits(Run run, Optional<String> stepId) {
        GitWork work = LocalGit.workOf(run);
        return stepId.isEmpty()
                ? new StepPages.Commits(work.base(), work.head())
                : readable(run.runId(), () -> Session.await(pages().commits(run.runId(), stepId.get(), work)));
    }
}
