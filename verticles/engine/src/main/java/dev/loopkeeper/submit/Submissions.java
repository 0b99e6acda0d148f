package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.handler.RegisteredHandlers;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.manifest.read.SourceMap;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.GetPolicy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/** Checks submitted manifests. Every check reads files, so servers do it on worker threads. */
public final class Submissions {
    /** The line of a new prompt that a person replaces by the task. */
    public static final String TASK_PLACEHOLDER = "<describe the task here>";

    private static final Duration PATIENCE_OF_GIT = Duration.ofMinutes(6);
    private static final Duration PATIENCE_OF_STORE = Duration.ofSeconds(30);

    private final Function<Callable<Checked>, Future<Checked>> workers;
    private final SubmissionCheck check;
    private final RepositoryCheck repositories;
    private final Supplier<Future<Optional<Policy>>> policy;

    /**
     * With the environment that agents will inherit. Without a {@code PATH} in it, programs named without a folder are
     * not checked.
     *
     * @param workers executes a check, which blocks
     * @param git is asked about the workspaces of runs with worktrees of their own
     * @param policy is read for agents that name a pool; empty: their pools are not checked
     */
    public Submissions(
            Function<Callable<Checked>, Future<Checked>> workers,
            Map<String, String> environment,
            Function<CheckWorkspace, Future<CheckedWorkspace>> git,
            Supplier<Future<Optional<Policy>>> policy) {
        this(workers, environment, git, policy, Optional::empty);
    }

    private Submissions(
            Function<Callable<Checked>, Future<Checked>> workers,
            Map<String, String> environment,
            Function<CheckWorkspace, Future<CheckedWorkspace>> git,
            Supplier<Future<Optional<Policy>>> policy,
            Supplier<Optional<Set<String>>> handlers) {
        this.workers = workers;
        this.check = new SubmissionCheck(environment, handlers);
        this.repositories = new RepositoryCheck(git);
        this.policy = policy;
    }

    /** The same in a Vert.x that serves {@link CheckoutChannels#CHECK} and {@link StoreChannels#POLICY}, with its handlers. */
    public static Submissions on(Vertx vertx, WorkerExecutor workers, Map<String, String> environment) {
        EventBus bus = vertx.eventBus();
        return new Submissions(
                check -> workers.executeBlocking(check, false),
                environment,
                question -> CheckoutChannels.CHECK.ask(bus, question, PATIENCE_OF_GIT),
                () -> StoreChannels.POLICY
                        .ask(bus, new GetPolicy(), PATIENCE_OF_STORE)
                        .map(applied -> Optional.of(applied.policy())),
                () -> Optional.of(RegisteredHandlers.in(vertx).byName().keySet()));
    }

    /** Checks a manifest file. Fails only when the pool is closed; an invalid one is an answer. */
    public Future<Submission> fromFile(Path manifestFile, SubmitOptions options) {
        Path file = manifestFile.toAbsolutePath().normalize();
        AtomicReference<String> sum = new AtomicReference<>();
        return checked(() -> TextFile.readDocument(file, sum::set), Optional.ofNullable(file.getParent()), options)
                .map(checked -> checked instanceof Submission.Accepted accepted
                        ? accepted.from(new ManifestFile(file.toString(), sum.get()))
                        : checked);
    }

    /**
     * A document, or a text node that holds one in YAML or JSON. Its relative paths are relative to the workspace,
     * which must be absolute, in the options or in the document.
     */
    public Future<Submission> fromDocument(JsonNode manifestOrText, SubmitOptions options) {
        return checked(
                () -> manifestOrText.isTextual()
                        ? ManifestText.parse(manifestOrText.textValue())
                        : new DocumentReading.Parsed(manifestOrText.deepCopy(), SourceMap.unknown()),
                Optional.empty(),
                options);
    }

    /** The result of a check, with source positions. */
    public record Checked(Submission submission, SourceMap sources) {}

    private Future<Submission> checked(
            Supplier<DocumentReading> document, Optional<Path> folder, SubmitOptions options) {
        return workers.apply(() -> check(document.get(), folder, options)).compose(found -> {
            Future<Submission> ready = options.ofRun()
                    ? Future.succeededFuture(found.submission())
                    : repositories.check(found.submission(), found.sources());
            return ready.compose(submission -> pooled(submission, found.sources(), options.ofRun()));
        });
    }

    private Future<Submission> pooled(Submission submission, SourceMap sources, boolean ofRun) {
        return PoolCheck.isNeeded(submission)
                ? policy.get()
                        .map(known -> known.map(current -> PoolCheck.of(submission, current, sources, ofRun))
                                .orElse(submission))
                : Future.succeededFuture(submission);
    }

    private Checked check(DocumentReading reading, Optional<Path> folder, SubmitOptions options) {
        if (reading instanceof DocumentReading.Parsed parsed) {
            return new Checked(check.check(parsed, folder, options), parsed.sources());
        }
        Submission refused = new Submission.Refused(List.of(((DocumentReading.Unreadable) reading).problem()));
        return new Checked(refused, SourceMap.unknown());
    }
}
