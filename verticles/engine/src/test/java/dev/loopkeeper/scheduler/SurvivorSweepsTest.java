package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.SweepStep;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepSwept;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SurvivorSweepsTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33Z");

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeEach
    void open() {
        RecordCodec.register(vertx);
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private StepSwept sweep(Function<SweepStep, Future<KillReceipt>> supervisor) throws Exception {
        ProcessChannels.SWEEP
                .serve(vertx.eventBus(), question -> {
                    asked.incrementAndGet();
                    return supervisor.apply(question);
                })
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        CompletableFuture<RunInput.Swept> reported = new CompletableFuture<>();
        new SurvivorSweeps(vertx, receipt -> Future.succeededFuture(), Duration.ofMillis(1))
                .sweep(run(), new RunCommand.Sweep(List.of("only.a.1"), true), reported::complete);
        return reported.get(60, TimeUnit.SECONDS).steps().get(0);
    }

    private static RunState run() {
        return ActorSamples.created("r1", ActorSamples.TASK).state();
    }

    private static KillReceipt gone(SweepStep question) {
        return new KillReceipt(question.runId(), Optional.of(question.stepId()), NOW, NOW, Outcome.gone, List.of());
    }

    /** It was asked again every second for as long as the runtime lived. */
    @Test
    void aSweepThatAlwaysFailsReportsTheSurvivors() throws Exception {
        StepSwept swept = sweep(question -> Future.failedFuture(new IllegalStateException("a reader broke")));

        assertThat(swept.survivors()).singleElement().asString().contains("a reader broke");
        assertThat(asked).hasValue(5);
    }

    @Test
    void aSweepThatBreaksOnceIsAskedAgain() throws Exception {
        StepSwept swept = sweep(question -> asked.get() == 1
                ? Future.failedFuture(new IllegalStateException("a reader broke"))
                : Future.succeededFuture(gone(question)));

        assertThat(swept.survivors()).isEmpty();
        assertThat(asked).hasValue(2);
    }
}
