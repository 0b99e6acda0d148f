package dev.loopkeeper.contract.signal;

import dev.loopkeeper.contract.EventChannel;
import dev.loopkeeper.contract.RequestChannel;

/** Where the signal watcher is asked, and where it tells. */
public final class SignalChannels {
    /** Which files these really are. */
    public static final RequestChannel<ResolveSignals, SignalsResolved> RESOLVE =
            new RequestChannel<>("loopkeeper.signals.resolve", ResolveSignals.class, SignalsResolved.class);
    /** Make the place free before a launch. */
    public static final RequestChannel<PrepareSignal, SignalPrepared> PREPARE =
            new RequestChannel<>("loopkeeper.signals.prepare", PrepareSignal.class, SignalPrepared.class);
    /** Watch while the step runs. */
    public static final RequestChannel<WatchSignal, SignalWatched> WATCH =
            new RequestChannel<>("loopkeeper.signals.watch", WatchSignal.class, SignalWatched.class);
    /** Read when the step is over. */
    public static final RequestChannel<ReadSignal, SignalContent> READ =
            new RequestChannel<>("loopkeeper.signals.read", ReadSignal.class, SignalContent.class);
    /** A whole signal is there. */
    public static final EventChannel<SignalSeen> SEEN = new EventChannel<>("loopkeeper.signals.seen", SignalSeen.class);

    private SignalChannels() {}
}
