package dev.loopkeeper.contract.signal;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;

/** Event-bus channels of the signal watcher. */
public final class SignalChannels {
    /** Resolves links of signal files. */
    public static final RequestChannel<ResolveSignals, SignalsResolved> RESOLVE =
            new RequestChannel<>("loopkeeper.signals.resolve", ResolveSignals.class, SignalsResolved.class);
    /** Prepares the signal file's path before a launch. */
    public static final RequestChannel<PrepareSignal, SignalPrepared> PREPARE =
            new RequestChannel<>("loopkeeper.signals.prepare", PrepareSignal.class, SignalPrepared.class);
    /** Watches the file while the step runs. */
    public static final RequestChannel<WatchSignal, SignalWatched> WATCH =
            new RequestChannel<>("loopkeeper.signals.watch", WatchSignal.class, SignalWatched.class);
    /** Reads the file after the step. */
    public static final RequestChannel<ReadSignal, SignalContent> READ =
            new RequestChannel<>("loopkeeper.signals.read", ReadSignal.class, SignalContent.class);
    /** A complete signal was written. */
    public static final EventChannel<SignalSeen> SEEN = new EventChannel<>("loopkeeper.signals.seen", SignalSeen.class);

    private SignalChannels() {}
}
