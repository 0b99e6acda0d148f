package dev.loopkeeper.embed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.run.Requester;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.store.CheckpointWriter;
import dev.loopkeeper.store.EventPages;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.StoredReceipt;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StepContexts;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.submit.SubmitOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** A whole Loopkeeper in this JVM, asked in plain blocking calls. */
public final class Keeper implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(60);

    private final Vertx vertx = Vertx.vertx();
    private volatile EventStore store;
    private final Path data;
    private final Path workspace;
    private final Loopkeeper loopkeeper;
    private final List<StoredEvent> received = new CopyOnWriteArrayList<>();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    public Keeper(Path data, Path workspace) throws IOException {
        this(data, workspace, LoopkeeperOptions.of(data));
    }

    public Keeper(Path data, Path workspace, LoopkeeperOptions options) throws IOException {
        this.data = data;
        this.workspace = workspace;
        Files.createDirectories(workspace);
        var listener = StoreChannels.EVENTS.listen(vertx.eventBus(), this::receive);
        this.loopkeeper =
                await(listener.completion().compose(ready -> Loopkeeper.start(vertx, options.with(new HostStore()))));
    }

    /** A part is given the port to the store. */
    private final class HostStore implements LoopkeeperPart {
        @Override
        public Future<Void> check(Vertx vertx) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> prepare(Host host) {
            store = host.store();
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> start(Host host) {
            return Future.succeededFuture();
        }

        @Override
        public Future<Void> stop() {
            return Future.succeededFuture();
        }
    }

    private void receive(PositionedEvent event) {
        received.add(event.event());
        if (event.event().type().equals("run.ended")) {
            ended.add(event.event().runId());
        }
    }

    @CanIgnoreReturnValue
    public static <T> T await(Future<T> future) {
        try {
            return future.await(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("no answer within " + SOON, late);
        }
    }

    public Vertx vertx() {
        return vertx;
    }

    EventStore store() {
        return store;
    }

    Loopkeeper loopkeeper() {
        return loopkeeper;
    }

    /** An executable file in the workspace. */
    public void script(String name, String body) throws IOException {
        Path file = workspace.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }

    /** Starts a run and answers its id. */
    public String start(String manifest) {
        return start(manifest, workspace);
    }

    /** The same in another folder. */
    String start(String manifest, Path folder) {
        return start(manifest, folder, Optional.empty());
    }

    /** The same with an id of its own. */
    public String startAs(String runId, String manifest) {
        return start(manifest, workspace, Optional.of(runId));
    }

    private String start(String manifest, Path folder, Optional<String> runId) {
        Submissions submissions = new Submissions(
                check -> vertx.executeBlocking(check, false),
                System.getenv(),
                // The process that creates the run asks git, too.
                asked -> Future.succeededFuture(
                        new CheckedWorkspace(asked.workspace(), "", asked.base(), List.of(), List.of())),
                () -> Future.succeededFuture(Optional.empty()));
        Submission checked = await(submissions.fromDocument(
                TextNode.valueOf(manifest), new SubmitOptions(Optional.of(folder.toString()), Map.of(), Map.of())));
        if (!(checked instanceof Submission.Accepted ready)) {
            throw new AssertionError("refused: " + checked);
        }
        StartRun command = new StartRun(
                runId,
                ready.document(),
                ready.workspace(),
                ready.baseDir(),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Requester.LOCAL,
                Optional.empty());
        return document(RunChannels.START.ask(vertx.eventBus(), command, SOON))
                .path("runId")
                .asText();
    }

    public JsonNode get(String runId) {
        return document(RunChannels.GET.ask(vertx.eventBus(), new GetRun(runId), SOON));
    }

    public JsonNode steps(String runId) {
        ListSteps oldest = new ListSteps(runId, OptionalLong.of(0), OptionalLong.empty(), 1000);
        return document(RunChannels.STEP_PAGE.ask(vertx.eventBus(), oldest, SOON))
                .path("steps");
    }

    public RunAnswer stop(String runId, boolean now) {
        return await(RunChannels.STOP.ask(vertx.eventBus(), new StopRun(runId, Optional.empty(), now), SOON));
    }

    RunAnswer pause(String runId) {
        return await(RunChannels.PAUSE.ask(vertx.eventBus(), new PauseRun(runId, Optional.empty()), SOON));
    }

    public RunAnswer resume(String runId, ResumeRequest request) {
        return await(RunChannels.RESUME.ask(vertx.eventBus(), new ResumeRun(runId, request), SOON));
    }

    private static JsonNode document(Future<RunAnswer> answer) {
        RunAnswer said = await(answer);
        return said.document().orElseThrow(() -> new AssertionError("refused: " + said.refusal()));
    }

    /** Waits until the run has one of these statuses. */
    @CanIgnoreReturnValue
    public JsonNode until(String runId, String... statuses) {
        Awaitility.await()
                .atMost(SOON)
                .until(() ->
                        List.of(statuses).contains(get(runId).path("status").asText()));
        return get(runId);
    }

    /** Waits for the ending without asking again and again. */
    public void untilEnded(String runId) {
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> ended.contains(runId));
    }

    /** What the launch of a step knew, by the events of its run. */
    Optional<LaunchContext> context(String runId, String stepId) {
        return await(new StepContexts(vertx, store).find(runId, stepId));
    }

    /** All events of the run, from the store. */
    public List<StoredEvent> events(String runId) {
        List<StoredEvent> events = new ArrayList<>();
        await(new EventPages(store).each(EventQuery.oldest(runId, Set.of(), 0, Integer.MAX_VALUE), part -> {
            part.forEach(positioned -> events.add(positioned.event()));
            return Future.succeededFuture(true);
        }));
        return events;
    }

    /** What is kept of the end of its processes, from the store. */
    List<String> receipts(String runId) {
        return await(store.receipts(runId, 0)).stream().map(StoredReceipt::json).toList();
    }

    /** Of the newest event of all runs. */
    long lastPosition() {
        return await(store.lastPosition());
    }

    /** Puts an event into the store without the knowledge of the process that executes the run. */
    void append(String runId, long last, String type, JsonNode data) {
        RunRow row = await(store.find(runId)).orElseThrow();
        StoredEvent event = new StoredEvent(runId, last + 1, Instant.now(), type, 1, data);
        AppendEvents append = new AppendEvents(runId, last, 1, List.of(event), row, Optional.empty(), Optional.empty());
        if (await(new CheckpointWriter(vertx.eventBus()).append(append)).lastPosition() < 1) {
            throw new AssertionError("not appended");
        }
    }

    /** What was published since this keeper began. */
    List<StoredEvent> received() {
        return List.copyOf(received);
    }

    /** What was published of the run since this keeper began. */
    List<StoredEvent> published(String runId) {
        return received.stream().filter(event -> event.runId().equals(runId)).toList();
    }

    /** Where it is served, as client commands find it. */
    public String url() {
        return new DataFolder(data).serverFile().read().orElseThrow().url();
    }

    public Path data() {
        return data;
    }

    public Path workspace() {
        return workspace;
    }

    @Override
    public void close() {
        await(loopkeeper.close());
        await(vertx.close());
    }
}
