package dev.loopkeeper.cli.session;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.manifest.read.ManifestText;
import dev.loopkeeper.rules.Capacity;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunCommand;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.StepOutcome;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.step.ErrorClassifier;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop on paper behind the start of a server, while nobody waits yet: what is done for the first time costs many times
 * what it costs later. Nothing is launched, stored or told, and nothing depends on it. It ends when there is a real run,
 * whose steps it would only take processors from.
 */
public final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final int MOST_STEPS = 200;
    private static final long STACK_BYTES = 512L << 10;
    private static final byte[] SIGNAL =
            "{\"determination\":\"PROGRESS\",\"user_input_needed\":false}".getBytes(StandardCharsets.UTF_8);
    private static final String LOOP = """
            name: warm-up
            agents:
              dev: {command: dev, signal: dev.json}
              judge: {command: judge, signal: judge.json}
            retry: {stopConditions: {circuitBreaker: 0}}
            phases: [{name: build, loop: {steps: [dev, judge], maxIterations: 60, noProgress: 0}}]
            """;

    private final Instant now;
    private final BooleanSupplier busy;
    private int steps;

    WarmUp(Instant now, BooleanSupplier busy) {
        this.now = now;
        this.busy = busy;
    }

    /**
     * Begins it on a thread of its own, which ends by itself.
     *
     * @param busy whether there is a real run; asked from that thread
     */
    public static void begin(BooleanSupplier busy) {
        Thread thread = new Thread(null, () -> attempt(busy), "loopkeeper-warm-up", STACK_BYTES);
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            LOG.debug("not warmed up", noThread);
        }
    }

    private static void attempt(BooleanSupplier busy) {
        try {
            LOG.debug("warmed up with {} steps on paper", new WarmUp(Instant.now(), busy).run());
        } catch (RuntimeException flaw) {
            LOG.debug("not warmed up", flaw);
        }
    }

    /** How many steps the loop took. */
    int run() {
        Decision decision = RunMachine.create(created(), now, Capacity.FREE);
        write(decision);
        Optional<StepSpec> next = launched(decision);
        while (next.isPresent() && steps < MOST_STEPS && !busy.getAsBoolean()) {
            steps++;
            StepSpec step = next.get();
            decision = RunMachine.decide(
                    decision.state(), new RunInput.StepEnded(now, step.stepId(), outcome(step)), Capacity.FREE);
            write(decision);
            next = launched(decision);
        }
        if (!busy.getAsBoolean()) {
            // Not before: a run that waits for processors needs them for a failure alone.
            LOG.debug("warmed up with {}", ErrorClassifier.classify("rate limit", now, ZoneOffset.UTC));
        }
        return steps;
    }

    private static Optional<StepSpec> launched(Decision decision) {
        return decision.commands().stream()
                .filter(RunCommand.Launch.class::isInstance)
                .map(command -> ((RunCommand.Launch) command).step())
                .findFirst();
    }

    private static RunCreated created() {
        DocumentReading.Parsed text = (DocumentReading.Parsed) ManifestText.parse(LOOP);
        ManifestReading.Valid manifest = (ManifestReading.Valid) ManifestReader.read(text.document(), text.sources());
        return new RunCreated("warm-up", "warm-up", "warm-up", "/", "/", true, text.document(), manifest.manifest());
    }

    private StepOutcome outcome(StepSpec step) {
        SignalReading reading = SignalReader.read(
                Optional.of(SIGNAL), new SignalExpectation(step.nonce(), step.attempt(), step.iteration()));
        return new StepOutcome(
                new StepOutcome.Exit(
                        ExitCause.EXITED, OptionalLong.of(1), OptionalInt.of(0), now, now, Optional.empty()),
                reading,
                StepReport.plain("stop", Optional.empty()),
                false,
                new StepOutcome.Digests(Integer.toString(steps), ""),
                new StepOutcome.Sweep(List.of(), List.of()));
    }

    /** As it would be for the store, the files and those who look. */
    private static void write(Decision decision) {
        for (RunEvent event : decision.events()) {
            String data = EventJson.write(event).toString();
            LOG.trace("{}", data);
        }
        LOG.trace("{} {}", StateJson.write(decision.state()), ViewJson.write(RunView.of(decision.state())));
    }
}
