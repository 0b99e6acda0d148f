package dev.loopkeeper.contract;

import dev.loopkeeper.run.step.SignalClaim;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalReading;
import java.util.List;
import java.util.Set;

/**
 * Event-bus channels of signal files, {@code loopkeeper.signals.<command>}, each with its request and answer. The handlers
 * are in {@code signal}.
 */
public final class SignalChannels {
    /**
     * The signal file of a step.
     *
     * @param workspace absolute; must contain the file
     * @param file absolute, or relative to the workspace, e.g. {@code .loopkeeper/dev.json}
     * @param expected what a signal of this step says of itself
     */
    public record SignalLocation(
            String runId, String stepId, String workspace, String file, SignalExpectation expected) {
        /** Returns a key that is unique in the data folder, e.g. {@code fix-1/build.3.dev.1}. */
        public String key() {
            return runId + "/" + stepId;
        }
    }

    public static final RequestChannel<ResolveSignals, SignalsResolved> RESOLVE =
            new RequestChannel<>("loopkeeper.signals.resolve", ResolveSignals.class, SignalsResolved.class);

    /**
     * Request: the real paths of these files after links are resolved.
     *
     * @param workspace absolute
     * @param files absolute, or relative to the workspace
     */
    public record ResolveSignals(String workspace, Set<String> files) {}

    /** Answer: each file with all its paths. */
    public record SignalsResolved(List<SignalClaim> claims) {}

    public static final RequestChannel<PrepareSignal, PrepareSignal> PREPARE =
            new RequestChannel<>("loopkeeper.signals.prepare", PrepareSignal.class, PrepareSignal.class);

    /**
     * Command, before a launch: create the signal file's folder and move an old file aside. Does nothing once the step was
     * launched, so that repeating it after a crash never removes a signal. Fails if the path is outside the workspace, also
     * through a symbolic link, or is a folder.
     */
    public record PrepareSignal(SignalLocation location) {}

    public static final RequestChannel<WatchSignal, WatchSignal> WATCH =
            new RequestChannel<>("loopkeeper.signals.watch", WatchSignal.class, WatchSignal.class);

    /**
     * Command: publish {@link SignalSeen} when a valid signal is written. Ends with {@link ReadSignal}. Safe to repeat.
     */
    public record WatchSignal(SignalLocation location) {}

    /** A valid signal was written. */
    public static final EventChannel<SignalSeen> SEEN = new EventChannel<>("loopkeeper.signals.seen");

    /**
     * Event: the signal file of a running step contains this signal, which differs from the last published one. At most
     * once a second for each step, the newest; the final signal is that of {@link ReadSignal}.
     */
    public record SignalSeen(String runId, String stepId, Signal signal) {}

    public static final RequestChannel<ReadSignal, SignalReading> READ =
            new RequestChannel<>("loopkeeper.signals.read", ReadSignal.class, SignalReading.class);

    /**
     * Request, after the step's processes are gone: what the file holds. Ends the watch: no {@link SignalSeen} of this
     * step follows the answer. A copy stays in the step's folder as {@code signal.json}.
     */
    public record ReadSignal(SignalLocation location) {}

    private SignalChannels() {}
}
