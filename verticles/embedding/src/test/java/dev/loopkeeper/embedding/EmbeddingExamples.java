package dev.loopkeeper.embedding;

// snippet:imports
import dev.loopkeeper.embed.EventSubscription;
import dev.loopkeeper.embed.InvalidManifestException;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunEvents;
import dev.loopkeeper.embed.RunFilter;
import dev.loopkeeper.embed.RunOptions;
import dev.loopkeeper.embed.RunRefusedException;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.run.TerminalExhausted;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
// end:imports

/** The examples of {@code docs/embedding.md}: what stands between two markers is what stands there. */
final class EmbeddingExamples {
    private EmbeddingExamples() {}

    // snippet:carry-out
    /** Deploys Loopkeeper into this Vertx, runs one manifest, and completes with the ended run. */
    static Future<Run> runOnce(Vertx vertx, Path dataFolder, Path workspace) {
        String manifest = """
                name: embedded
                agents: {greeter: {command: [echo, hello]}}
                phases: [{name: greet, task: greeter}]
                """;
        return Loopkeeper.start(vertx, LoopkeeperOptions.of(dataFolder))
                .compose(keeper -> keeper.submit(manifest, RunOptions.DEFAULTS.workspace(workspace))
                        .compose(submitted -> keeper.awaitEnd(submitted.runId(), Duration.ofMinutes(10)))
                        .eventually(keeper::close));
    }
    // end:carry-out

    // snippet:submit
    /** Submits a file, and reports what is wrong with it. */
    static Future<String> submit(Loopkeeper keeper, Path manifest, Consumer<String> person) {
        return keeper.submit(manifest, RunOptions.DEFAULTS.variable("BRANCH", "main"))
                .map(submitted -> submitted.runId())
                .onFailure(cause -> {
                    if (cause instanceof InvalidManifestException invalid) {
                        invalid.problems().forEach(problem -> person.accept(problem.text()));
                    }
                });
    }
    // end:submit

    // snippet:resume
    /** Resumes a paused run with a refined plan, or reports which actions are allowed. */
    static Future<Run> refine(Loopkeeper keeper, String runId, String advice, Consumer<String> person) {
        ResumeRequest request =
                ResumeRequest.PLAIN.action(ResumeAction.REFINE_PLAN).feedback(advice);
        return keeper.resume(runId, request).onFailure(cause -> {
            if (cause instanceof RunRefusedException refused && refused.code() == RefusalCode.ACTION_NOT_ALLOWED) {
                person.accept("choose one of " + refused.allowedActions());
            }
        });
    }
    // end:resume

    // snippet:events
    /** Reports every step that ends or has ended, until the subscription is closed. */
    static Future<EventSubscription> follow(Loopkeeper keeper, String runId, Consumer<String> person) {
        return keeper.events(runId, received -> {
            if (received.event() instanceof StepFinished finished) {
                person.accept(received.sequence() + ": " + finished.stepId() + " has ended");
            }
        });
    }
    // end:events

    // snippet:all-runs
    /** Reports every stop, and every ending that is not a success. */
    static Future<?> warn(Vertx vertx, Consumer<String> person) {
        var stops = RunEvents.listen(
                vertx.eventBus(),
                StopAsked.class,
                received -> person.accept(received.runId() + " is asked to stop: "
                        + received.event().cause().wire()));
        var endings = RunEvents.listen(
                vertx.eventBus(),
                TerminalExhausted.class,
                received -> person.accept(
                        received.runId() + " has ended: " + received.event().reasonCode()));
        return Future.all(stops.completion(), endings.completion());
    }
    // end:all-runs

    // snippet:list
    /** Lists runs that wait for a person. */
    static Future<Runs> waiting(Loopkeeper keeper) {
        return keeper.runs(RunFilter.of(RunStatus.PAUSED).limit(20));
    }
    // end:list
}
