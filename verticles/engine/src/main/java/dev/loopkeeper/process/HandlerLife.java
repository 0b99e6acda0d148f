package dev.loopkeeper.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.OutputDigest;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepExited.Reported;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.data.AtomicFile;
import dev.loopkeeper.data.OwnerOnly;
import dev.loopkeeper.handler.RegisteredHandlers;
import dev.loopkeeper.handler.StepContext;
import dev.loopkeeper.manifest.HandlerSpec;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.verdict.Signal;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Supervises one step whose agent is Java. What its handler says after its end changes nothing. */
final class HandlerLife extends SupervisedStep {
    /** A handler has this long to end even where no grace is given. */
    private static final Duration LEAST_GRACE = Duration.ofMillis(500);

    private final UnaryOperator<String> normalise;
    private final Watchdog watchdog;
    private final Instant startedAt;
    private final Promise<StepLaunched> launched = Promise.promise();
    private final Promise<Void> gone = Promise.promise();
    private Optional<HandlerCall> call = Optional.empty();
    private boolean over;

    HandlerLife(SupervisorContext around, StepOrder order, StepFolder folder, UnaryOperator<String> normalise) {
        super(around, order, folder);
        this.normalise = normalise;
        this.watchdog = new Watchdog(around, order, folder, limit -> giveUpAfter(cancel(limit, false)));
        this.startedAt = around.clock().instant();
    }

    /** A handler of an earlier runtime ended with it: the step ends, and its run launches another one. */
    @Override
    Future<StepLaunched> begin(Optional<StepSpec> step, boolean first) {
        if (step.isEmpty() || !first) {
            unlaunched(
                    ExitCause.RUNTIME_DIED, "the runtime ended while " + name() + " was under way", Optional.empty());
        } else {
            around.workers()
                    .executeBlocking(() -> open(step.get()), false)
                    .onComplete(opened -> call(step.get()), this::refuse);
        }
        return launched.future();
    }

    private boolean open(StepSpec step) throws IOException {
        boolean opened = folder.open(order);
        folder.noteContext(step.context());
        return opened;
    }

    private void call(StepSpec step) {
        if (over) {
            answer();
            return;
        }
        Optional<Function<StepContext, Future<JsonNode>>> handler = handler(step);
        if (handler.isEmpty()) {
            refuse(new LaunchException("no handler is registered as \""
                    + spec().name().orElse("") + "\"; register it with LoopkeeperOptions.handler before the start"));
            return;
        }
        HandlerCall begun = new HandlerCall(around, step, folder);
        call = Optional.of(begun);
        begun.begin(handler.get()).onComplete(this::returned);
        watchdog.begin();
        answer();
    }

    private Optional<Function<StepContext, Future<JsonNode>>> handler(StepSpec step) {
        if (spec().address().isPresent()) {
            return Optional.of(new BusHandler(
                    around.vertx(),
                    spec().address().get(),
                    step.agentSpec().limits().timeout())::handle);
        }
        return Optional.ofNullable(registered().byName().get(spec().name().orElseThrow()))
                .map(handler -> context -> {
                    Future<Signal> signal = handler.handle(context);
                    return signal == null
                            ? Future.succeededFuture()
                            : signal.map(said -> said == null ? null : said.raw());
                });
    }

    private RegisteredHandlers registered() {
        return RegisteredHandlers.in(around.vertx());
    }

    private HandlerSpec spec() {
        return order.program().handler().orElseThrow();
    }

    private String name() {
        return String.join(" ", order.program().command());
    }

    private void answer() {
        launched.complete(new StepLaunched(order.runId(), order.stepId(), OptionalLong.empty(), false));
    }

    private void refuse(Throwable cause) {
        unlaunched(
                ExitCause.LAUNCH_FAILED,
                "agent \"" + order.role() + "\" could not be launched: " + cause.getMessage(),
                ResourceExhaustedException.in(cause).map(full -> ErrorKind.INFRASTRUCTURE));
    }

    private void unlaunched(ExitCause cause, String diagnostic, Optional<ErrorKind> launchError) {
        answer();
        gone.complete();
        over = true;
        exited.complete(exit(
                cause,
                OptionalInt.empty(),
                Optional.of(diagnostic),
                launchError,
                OutputDigest.UNREAD,
                receipt(),
                Optional.empty()));
    }

    private void returned(AsyncResult<JsonNode> result) {
        gone.complete();
        if (!over) {
            around.workers()
                    .executeBlocking(() -> record(result), false)
                    .onComplete(
                            error -> ended(result, error),
                            unwritten -> ended(
                                    result,
                                    Optional.of(ErrorContext.of(
                                            ErrorKind.INFRASTRUCTURE,
                                            "the result of " + name() + " could not be written: "
                                                    + unwritten.getMessage()))));
        }
    }

    /** Writes the signal as a process does, or the failure to the log. Blocking. */
    private Optional<ErrorContext> record(AsyncResult<JsonNode> result) throws IOException {
        if (result.failed()) {
            HandlerFailure failure = new HandlerFailure(result.cause());
            OwnerOnly.write(folder.stderr(), failure.text());
            return failure.error(spec(), registered().errors());
        }
        if (result.result() != null) {
            JsonNode signal = result.result();
            String text = signal instanceof ObjectNode object
                    ? object.deepCopy().put("nonce", order.marks().nonce()).toString()
                    : signal.toString();
            Path file = Path.of(order.program().signalFile());
            Files.createDirectories(file.getParent());
            AtomicFile.replace(file, text.getBytes(StandardCharsets.UTF_8));
        }
        return Optional.empty();
    }

    private void ended(AsyncResult<JsonNode> result, Optional<ErrorContext> error) {
        if (!over) {
            conclude(ExitCause.EXITED, OptionalInt.of(result.failed() || error.isPresent() ? 1 : 0), error, receipt());
        }
    }

    private void conclude(ExitCause natural, OptionalInt code, Optional<ErrorContext> error, KillReceipt receipt) {
        over = true;
        watchdog.release();
        HandlerCall ended = call.orElseThrow();
        ended.close();
        Reported reported = new Reported(ended.usage(), error);
        ended.flush()
                .compose(written -> around.workers()
                        .executeBlocking(
                                () -> OutputReading.read(
                                        folder.path(),
                                        order.program().output(),
                                        order.program().expectOutput().orElse(""),
                                        normalise),
                                false))
                .otherwise(unreadable -> OutputReading.unknown(order.key()))
                .map(digest -> exit(
                        asked.orElse(natural),
                        code,
                        Optional.empty(),
                        Optional.empty(),
                        digest,
                        receipt,
                        Optional.of(reported)))
                .onComplete(exited);
    }

    private StepExited exit(
            ExitCause cause,
            OptionalInt code,
            Optional<String> diagnostic,
            Optional<ErrorKind> launchError,
            OutputDigest output,
            KillReceipt receipt,
            Optional<Reported> reported) {
        return new StepExited(
                order.runId(),
                order.stepId(),
                new StepOutcome.Exit(
                        cause,
                        OptionalLong.empty(),
                        code,
                        startedAt,
                        around.clock().instant(),
                        diagnostic),
                launchError,
                output,
                receipt,
                Optional.empty(),
                reported);
    }

    /** Names the handler and its step unless the handler has ended. */
    private KillReceipt receipt() {
        Instant now = around.clock().instant();
        KilledProcess survivor = new KilledProcess(
                0, name() + " of step " + order.stepId(), "handler", List.of("cancel"), Optional.empty());
        return gone.future().isComplete()
                ? KillReceipt.nothing(order.runId(), order.stepId(), now)
                : new KillReceipt(
                        order.runId(), Optional.of(order.stepId()), now, now, Outcome.survivors, List.of(survivor));
    }

    @Override
    Future<KillReceipt> stop(ExitCause cause, boolean now) {
        return launched.future().compose(known -> {
            giveUpAfter(cancel(cause, now));
            return exited.future().map(StepExited::swept);
        });
    }

    /** Cancels the handler, and returns how long it has to end. */
    private Duration cancel(ExitCause cause, boolean now) {
        asked = asked.or(() -> Optional.of(cause));
        call.ifPresent(HandlerCall::cancel);
        Duration grace = order.limits().stop().grace();
        return now || grace.compareTo(LEAST_GRACE) < 0 ? LEAST_GRACE : grace;
    }

    private void giveUpAfter(Duration grace) {
        around.vertx().setTimer(grace.toMillis(), late -> {
            if (!over) {
                conclude(ExitCause.EXITED, OptionalInt.empty(), Optional.empty(), receipt());
            }
        });
    }

    /** Completes when the handler has ended, even after its step. */
    Future<Void> gone() {
        return gone.future();
    }

    /** Gives a handler that outlived its step another chance to end. */
    Future<KillReceipt> sweep(boolean now) {
        return within(cancel(ExitCause.STOPPED, now)).map(waited -> receipt());
    }

    private Future<Void> within(Duration grace) {
        return Future.any(gone.future(), around.vertx().timer(grace.toMillis()))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    /** Cancels the handler without a report: the next runtime launches the step again. */
    @Override
    Future<Void> release() {
        over = true;
        watchdog.release();
        Duration grace = cancel(ExitCause.STOPPED, false);
        call.ifPresent(HandlerCall::close);
        return call.isEmpty() ? Future.succeededFuture() : within(grace);
    }

    @Override
    Future<StepLaunched> launched() {
        return launched.future();
    }

    @Override
    Optional<LiveProcess> process() {
        return call.filter(begun -> !over).map(begun -> live(0, startedAt));
    }
}
