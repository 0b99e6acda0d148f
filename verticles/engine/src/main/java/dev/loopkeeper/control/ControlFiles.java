package dev.loopkeeper.control;

import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.RecordNotice;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.JsonProblem;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.InOrder;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans for control files and executes them one by one, each at least once. A command that cannot be sent at the moment
 * stays taken, and the next scan retries it. Used from one context only.
 */
final class ControlFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ControlFiles.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MOST_PAST = 1000;
    private static final int MOST_AT_ONCE = 2000;
    private static final int MOST_COMPLAINTS = 1000;
    private static final int MOST_WORDS = 1000;
    private static final String CODE = "control-file-refused";

    private static final Set<RefusalCode> ASK_AGAIN = EnumSet.of(RefusalCode.DRAINING, RefusalCode.STORE_UNAVAILABLE);

    private final EventBus bus;
    private final WorkerExecutor workers;
    private final Predicate<String> own;
    private final Map<String, String> open = new HashMap<>();
    private final Set<String> past = new LinkedHashSet<>();
    private final Deque<String> round = new ArrayDeque<>();
    private final Set<String> complaints = ConcurrentHashMap.newKeySet();

    /** @param own whether this process executes the run */
    ControlFiles(EventBus bus, WorkerExecutor workers, Predicate<String> own) {
        this.bus = bus;
        this.workers = workers;
        this.own = own;
    }

    /** Scans this workspace until the run has ended, and for long after that. */
    void watch(String runId, String workspace) {
        open.put(runId, workspace);
        remember(workspace);
    }

    /** Records the end of a run; its workspace is forgotten once many others were added. */
    void over(String runId) {
        String workspace = open.remove(runId);
        if (workspace != null) {
            remember(workspace);
        }
    }

    /** Whether the run is known to be open. */
    boolean knows(String runId) {
        return open.containsKey(runId);
    }

    /** Adds a workspace whose runs have ended, since they may still be resumed. */
    void remember(String workspace) {
        past.remove(workspace);
        past.add(workspace);
        if (past.size() > MOST_PAST) {
            past.remove(past.iterator().next());
        }
    }

    /** Scans once: all workspaces, or the next batch where there are very many. Never fails. */
    Future<Void> scan() {
        List<ControlFolder> folders = next().stream().map(ControlFolder::new).toList();
        return workers.executeBlocking(() -> list(folders), false)
                .compose(files -> InOrder.each(files, this::handle))
                .recover(failure -> {
                    LOG.error("the scan for control files failed", failure);
                    return Future.succeededFuture();
                });
    }

    /** Returns the next workspaces; each round covers all of them once. */
    private List<String> next() {
        if (round.isEmpty()) {
            Set<String> all = new LinkedHashSet<>(past);
            all.addAll(open.values());
            round.addAll(all);
        }
        List<String> next = new ArrayList<>();
        while (next.size() < MOST_AT_ONCE && !round.isEmpty()) {
            next.add(round.poll());
        }
        return next;
    }

    private List<ControlFile> list(List<ControlFolder> folders) {
        List<ControlFile> files = new ArrayList<>();
        for (ControlFolder folder : folders) {
            try {
                files.addAll(folder.files());
            } catch (IOException unreadable) {
                complain(folder.workspace(), unreadable);
            }
        }
        return files;
    }

    private Future<Void> handle(ControlFile file) {
        return RunChannels.GET
                .ask(bus, new GetRun(file.runId()), TIMEOUT)
                .compose(run -> isOfAnotherNode(run, file)
                        ? Future.succeededFuture()
                        : isOfThisWorkspace(run, file) ? execute(file) : rejectUnknown(file, run))
                .recover(cause -> {
                    complain(file.path().toString(), cause);
                    return Future.succeededFuture();
                });
    }

    /** Whether another node owns the run. It may see the same folder, and two nodes must not execute the same file. */
    private boolean isOfAnotherNode(RunAnswer run, ControlFile file) {
        return run.run().flatMap(Run::owner).isPresent() && !own.test(file.runId());
    }

    private static boolean isOfThisWorkspace(RunAnswer run, ControlFile file) {
        return run.run()
                .flatMap(Run::workspace)
                .filter(file.folder().workspace()::equals)
                .isPresent();
    }

    /** Rejects a file for an unknown run, once it is old enough that no other Loopkeeper takes it. */
    private Future<Void> rejectUnknown(ControlFile file, RunAnswer run) {
        if (run.refusal().filter(ControlFiles::isPassing).isPresent()) {
            return Future.succeededFuture();
        }
        boolean known = run.document().isPresent();
        return blocking(() -> file.taken() || !file.isYoung(Instant.now())
                        ? Optional.of(reject(file.take(), "there is no run " + file.runId() + " in this workspace"))
                        : Optional.<Rejected>empty())
                .compose(rejected -> rejected.filter(rejection -> known)
                        .map(this::recordRejection)
                        .orElseGet(Future::succeededFuture));
    }

    /** Takes, reads and executes a file. */
    private Future<Void> execute(ControlFile file) {
        return blocking(() ->
                        file.isUnfinished(Instant.now()) ? Optional.<ControlFile>empty() : Optional.of(file.take()))
                .compose(taken -> taken.map(this::executeTaken).orElseGet(Future::succeededFuture));
    }

    private Future<Void> executeTaken(ControlFile file) {
        return blocking(file::read)
                .compose(command -> execute(file, command))
                .recover(cause -> cause instanceof JsonProblem
                        ? blocking(() -> reject(file, cause.getMessage())).compose(this::recordRejection)
                        : Future.failedFuture(cause));
    }

    private Future<Void> execute(ControlFile file, ControlCommand command) {
        return command.execute(bus, file.runId(), TIMEOUT)
                .map(RunAnswer::refusal)
                .compose(refusal -> refusal.filter(ControlFiles::isPassing).isPresent()
                        ? Future.succeededFuture()
                        : blocking(() -> finish(file, command, refusal))
                                .compose(rejected ->
                                        rejected.map(this::recordRejection).orElseGet(Future::succeededFuture)));
    }

    private static Optional<Rejected> finish(ControlFile file, ControlCommand command, Optional<Refusal> refusal)
            throws IOException {
        if (refusal.isPresent()) {
            return Optional.of(reject(file, wording(refusal.get())));
        }
        file.remove();
        LOG.info("run {}: {} requested by a control file", file.runId(), command.name());
        return Optional.empty();
    }

    /** Records the rejection in the history of the run that the file names. */
    private Future<Void> recordRejection(Rejected rejected) {
        String message = "control file " + rejected.file() + " is refused: " + rejected.reason();
        return RunChannels.REMARK
                .ask(bus, new RecordNotice(rejected.runId(), CODE, OneLine.of(message, MOST_WORDS)), TIMEOUT)
                .mapEmpty();
    }

    /** Whether the refusal is temporary and independent of the command. */
    private static boolean isPassing(Refusal refusal) {
        return ASK_AGAIN.contains(refusal.code());
    }

    private static String wording(Refusal refusal) {
        String more = refusal.details().isEmpty() ? "" : " " + Json.MAPPER.valueToTree(refusal.details());
        return refusal.code().wire() + ": " + refusal.message() + more;
    }

    private static Rejected reject(ControlFile file, String reason) throws IOException {
        Path rejected = file.reject(reason);
        LOG.warn("control file {} is refused: {}", rejected, reason);
        return new Rejected(file.runId(), rejected, reason);
    }

    private <T> Future<T> blocking(Callable<T> work) {
        return workers.executeBlocking(work, false);
    }

    /** Logs a failure once, since the next scan meets it again. */
    private void complain(String about, Throwable cause) {
        if (cause instanceof NoSuchFileException) {
            return; // Removed by its author, or taken by another Loopkeeper.
        }
        if (complaints.size() >= MOST_COMPLAINTS) {
            complaints.clear();
        }
        if (complaints.add(about + " " + cause)) {
            LOG.warn("control files: {}: {}", about, cause.toString());
        }
    }

    /** A file that was rejected and moved aside. */
    private record Rejected(String runId, Path file, String reason) {}
}
