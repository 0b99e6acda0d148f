package dev.loopkeeper.embed;

import dev.loopkeeper.bundle.BundleException;
import dev.loopkeeper.bundle.FolderFiles;
import dev.loopkeeper.bundle.RunExport;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.CheckoutChannels.MergeRun;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.contract.RunMerged;
import dev.loopkeeper.data.RunFolders;
import dev.loopkeeper.data.StepLog;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import dev.loopkeeper.store.IterationPages;
import dev.loopkeeper.store.StepContexts;
import dev.loopkeeper.store.StepPages;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Diff;
import dev.loopkeeper.view.GitWork;
import dev.loopkeeper.view.IterationPage;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.PulledStream;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Reads what the store, the files and the repository of this node have of a run. */
final class RunDetails {
    private static final int MOST = 1000;
    private static final int MOST_DIFF_BYTES = 2 << 20;

    private final Vertx vertx;
    private final Workers workers;
    private final RunClient runs;
    private final EventStore store;
    private final Path dataFolder;

    RunDetails(Vertx vertx, Workers workers, RunClient runs, EventStore store, Path dataFolder) {
        this.vertx = vertx;
        this.workers = workers;
        this.runs = runs;
        this.store = store;
        this.dataFolder = dataFolder;
    }

    private Future<Void> known(String runId) {
        return store.find(runId)
                .compose(row -> row.isPresent()
                        ? Future.succeededFuture()
                        : refuse(RefusalCode.NOT_FOUND, "there is no run " + runId));
    }

    private static <T> Future<T> refuse(RefusalCode code, String message) {
        return Future.failedFuture(new RunRefusedException(new Refusal(code, message)));
    }

    static int within(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST + ", was " + limit);
        }
        return limit;
    }

    static long position(String cursor) {
        if (!cursor.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("cursor must be the nextCursor of a page before, was '" + cursor + "'");
        }
        return Long.parseLong(cursor);
    }

    Future<List<RunEvents.Recorded<RunEvent>>> events(String runId, long since, int limit) {
        return known(runId)
                .compose(found -> store.events(runId, since, within(limit)))
                .map(page -> page.stream()
                        .map(positioned -> positioned.event())
                        .map(stored -> RunEvents.recorded(stored, EventJson.read(stored.type(), stored.data())))
                        .toList());
    }

    Future<IterationPage> iterations(String runId, int limit, Optional<String> cursor) {
        OptionalLong before = cursor.stream().mapToLong(RunDetails::position).findFirst();
        return known(runId).compose(found -> new IterationPages(vertx, store).page(runId, before, within(limit)));
    }

    Future<LaunchContext> context(String runId, String stepId) {
        return known(runId)
                .compose(found -> new StepContexts(vertx, store).find(runId, stepId))
                .compose(context -> context.map(Future::succeededFuture)
                        .orElseGet(() -> refuse(RefusalCode.NOT_FOUND, "run " + runId + " has no step " + stepId)));
    }

    Future<ReceiptPage> receipts(String runId, Optional<String> cursor) {
        return known(runId)
                .compose(found ->
                        store.receipts(runId, cursor.map(RunDetails::position).orElse(0L)))
                .compose(page -> vertx.executeBlocking(() -> page(page), false));
    }

    private static ReceiptPage page(List<StoredReceipt> page) throws IOException {
        List<KillReceipt> receipts = new ArrayList<>();
        for (StoredReceipt receipt : page) {
            receipts.add(Json.MAPPER.readValue(receipt.json(), KillReceipt.class));
        }
        Optional<String> next = page.isEmpty()
                ? Optional.empty()
                : Optional.of(Long.toString(page.get(page.size() - 1).id()));
        return new ReceiptPage(List.copyOf(receipts), next);
    }

    Future<Step> step(String runId, String stepId) {
        return runs.ask(RunChannels.STEP, new GetStep(runId, stepId), Step.class);
    }

    Future<ReadStream<Buffer>> log(String runId, String stepId, LogSelection selection) {
        return step(runId, stepId).map(found -> {
            StepLog log = StepLog.of(dataFolder, runId, found.stepId(), selection.stream);
            AtomicLong offset = new AtomicLong(selection.offset);
            AtomicBoolean open = new AtomicBoolean(selection.follow);
            return new PulledStream(
                    vertx,
                    () -> vertx.executeBlocking(() -> log.part(offset.get(), StepLog.CHUNK), false)
                            .compose(part -> {
                                offset.set(part.next());
                                boolean isEnd = part.bytes().length == 0 && !open.get();
                                Optional<Buffer> piece =
                                        Optional.of(Buffer.buffer(part.bytes())).filter(bytes -> !isEnd);
                                return part.bytes().length > 0 || isEnd
                                        ? Future.succeededFuture(piece)
                                        : isOpen(runId, stepId)
                                                .onSuccess(open::set)
                                                .map(piece);
                            }),
                    () -> {});
        });
    }

    private Future<Boolean> isOpen(String runId, String stepId) {
        return step(runId, stepId).map(step -> step.endedAt().isEmpty());
    }

    Future<ReadStream<Buffer>> export(String runId) {
        return known(runId)
                .compose(found -> workers.executeBlocking(() -> bundle(runId), false))
                .map(file -> new PulledStream(
                        vertx, () -> vertx.executeBlocking(() -> piece(file), false), () -> close(file)));
    }

    /** Writes the bundle to a file without a name, which is gone once it is closed. */
    private FileChannel bundle(String runId) throws IOException {
        FileChannel file = new RunFolders(dataFolder).nameless();
        try {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file), StepLog.CHUNK);
            Object unused = new RunExport(store, new FolderFiles(dataFolder)).write(runId, out, Instants.now());
            out.flush();
            return file.position(0);
        } catch (BundleException refused) {
            file.close();
            throw new RunRefusedException(new Refusal(RefusalCode.NOT_EXPORTABLE, refused.getMessage()));
        } catch (IOException | RuntimeException | Error failed) {
            file.close();
            throw failed;
        }
    }

    private static Optional<Buffer> piece(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(StepLog.CHUNK);
        int read = file.read(bytes);
        return read < 0 ? Optional.empty() : Optional.of(Buffer.buffer().appendBytes(bytes.array(), 0, read));
    }

    private void close(FileChannel file) {
        vertx.executeBlocking(
                        () -> {
                            file.close();
                            return null;
                        },
                        false)
                .otherwiseEmpty();
    }

    Future<Diff> diff(String runId) {
        return git(runId).compose(work -> diff(work, work.git.base(), work.git.head()));
    }

    Future<Diff> stepDiff(String runId, String stepId) {
        return git(runId)
                .compose(work -> step(runId, stepId)
                        .compose(step -> new StepPages(vertx, store).commits(runId, step.stepId(), work.git))
                        .compose(commits -> diff(work, commits.from(), commits.to())));
    }

    Future<RunMerged> merge(String runId, boolean squash, boolean dryRun) {
        return git(runId)
                .compose(work -> repository(work)
                        .compose(repository -> runs.askLong(
                                CheckoutChannels.MERGE_RUN,
                                new MergeRun(
                                        runId,
                                        repository,
                                        work.git.branch(),
                                        squash,
                                        Optional.empty(),
                                        false,
                                        dryRun))));
    }

    private record WorkOfRun(Run run, GitWork git) {}

    private Future<WorkOfRun> git(String runId) {
        return runs.run(RunChannels.GET, new GetRun(runId))
                .compose(run -> run.git()
                        .map(git -> Future.succeededFuture(new WorkOfRun(run, git)))
                        .orElseGet(() -> refuse(
                                RefusalCode.NO_WORKTREE,
                                "run " + runId
                                        + " has no worktree: its manifest does not set isolation: {git: worktree}")));
    }

    private Future<Diff> diff(WorkOfRun work, String from, String to) {
        return repository(work)
                .compose(repository ->
                        runs.askLong(CheckoutChannels.DIFF, new DiffCommits(repository, from, to, MOST_DIFF_BYTES)))
                .map(diff -> diff.view(work.run.runId(), Optional.empty()));
    }

    private Future<Path> repository(WorkOfRun work) {
        Path workspace = Path.of(work.run.workspace().orElse("/"));
        return runs.askLong(CheckoutChannels.CHECK, new CheckWorkspace(workspace, work.git.base()))
                .map(CheckedWorkspace::repository);
    }
}
