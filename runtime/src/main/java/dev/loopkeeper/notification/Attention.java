package dev.loopkeeper.notification;

import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.Termination;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Decides which events a person must act on. */
public final class Attention {
    /** Code of the notice of a run that waits because a cap is reached. */
    private static final String CAP_REACHED = "cap-reached";
    /** Code of the notice of a fire that began no run. */
    public static final String FIRE_FAILED = "fire-failed";

    private static final Set<String> NOTICES = Set.of(CAP_REACHED, FIRE_FAILED);

    private static final Set<String> CANDIDATES = Set.of(
            EventTypes.of(RunPaused.class),
            EventTypes.of(RunEnded.class),
            EventTypes.of(Notice.class),
            EventTypes.of(AskOpened.class));

    private Attention() {}

    /** Returns the types of events that the receiver may subscribe to. */
    public static Set<String> types(NotifySpec receiver) {
        Set<String> types = new TreeSet<>(receiver.events());
        if (types.remove(NotifySpec.ATTENTION)) {
            types.addAll(CANDIDATES);
        }
        return types;
    }

    /**
     * Whether the receiver subscribes to this event.
     *
     * @param event read only where its type does not decide
     */
    public static boolean isWanted(NotifySpec receiver, String type, Supplier<Optional<RunEvent>> event) {
        return receiver.events().contains(type)
                || (types(receiver).contains(type)
                        && event.get().filter(Attention::isRequired).isPresent());
    }

    /** Whether a person must act: a pause, an ask, a failed fire, a reached cap, and every ending but success and an operator's stop. */
    static boolean isRequired(RunEvent event) {
        if (event instanceof RunEnded ended) {
            Termination termination = ended.termination();
            return !termination.success()
                    && !StandardReason.OPERATOR_STOP.reasonCode().equals(termination.reasonCode());
        }
        return event instanceof Notice notice
                ? NOTICES.contains(notice.code())
                : CANDIDATES.contains(EventTypes.of(event));
    }

    /**
     * Names what happened without its details, e.g. {@code run.paused missing_signals}: of one run, events with the
     * same name share one message a minute.
     */
    public static String kind(RunEvent event) {
        Optional<String> code = Optional.empty();
        if (event instanceof RunPaused paused) {
            code = Optional.of(paused.reason().wire());
        } else if (event instanceof RunEnded ended) {
            code = ended.termination().reasonCode();
        } else if (event instanceof Notice notice) {
            code = Optional.of(notice.code());
        }
        String type = EventTypes.of(event);
        return code.map(known -> type + " " + known).orElse(type);
    }
}
