package dev.loopkeeper.manifest.read;

import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.CommitEvery;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.ContextMode;
import dev.loopkeeper.manifest.NotifyFormat;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OnStalled;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.manifest.Until;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.run.EventTypes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The values that a key allows, in the order of messages. */
final class Choices {
    static final Map<String, OutputDialect> OUTPUT = of(OutputDialect.class);
    static final Map<String, Containment> CONTAINMENT = of(Containment.class);
    static final Map<String, OnRuntimeDeath> ON_RUNTIME_DEATH = of(OnRuntimeDeath.class);
    static final Map<String, ContextMode> CONTEXT = of(ContextMode.class);
    static final Map<String, OnNodeLoss> ON_NODE_LOSS = of(OnNodeLoss.class);
    static final Map<String, SessionMode> SESSION = of(SessionMode.class);

    static final Map<String, OnStalled> ON_STALLED = of(OnStalled.class);
    static final Map<String, Until> UNTIL = of(List.of(new Until.Signal(), new Until.Iterations()), Choices::untilWord);
    static final Map<String, CommitEvery> COMMIT = of(CommitEvery.class);
    /** Whether a run has its own worktree. */
    static final Map<String, Boolean> ISOLATION =
            of(List.of(Boolean.FALSE, Boolean.TRUE), worktree -> worktree ? "worktree" : "none");

    /** Whether an agent has the usual sandbox. */
    static final Map<String, Boolean> SANDBOX = switchWords("workspace", "off");

    static final Map<String, Boolean> NETWORK = switchWords("on", "off");

    static final Map<String, String> STOP_SIGNAL = words("TERM", "INT", "HUP", "QUIT", "USR1", "USR2", "KILL");
    static final Map<String, String> CATEGORY = words("capacity", "retryable", "fatal");
    static final Map<String, String> WHEN = words("requested");
    static final Map<String, String> WAIT = words("auto", "never");
    /** The types of the event feed. */
    static final Map<String, String> EVENT = of(EventTypes.all(), Function.identity());
    /** What a notification may subscribe to. */
    static final Map<String, String> NOTIFY_EVENT =
            of(Copies.plus(EventTypes.all(), NotifySpec.ATTENTION), Function.identity());

    static final Map<String, NotifyFormat> NOTIFY_FORMAT = of(NotifyFormat.class);

    static final Map<String, Window> WINDOW = of(Window.class);
    static final Map<String, Schedule.Overlap> OVERLAP = of(Schedule.Overlap.class);
    static final Map<String, Schedule.Missed> MISSED = of(Schedule.Missed.class);

    private Choices() {}

    private static String untilWord(Until until) {
        return until instanceof Until.Signal ? "signal" : "iterations";
    }

    private static <E extends Enum<E> & WireName> Map<String, E> of(Class<E> type) {
        return of(List.of(type.getEnumConstants()), WireName::wire);
    }

    private static Map<String, Boolean> switchWords(String yes, String no) {
        return of(List.of(Boolean.TRUE, Boolean.FALSE), on -> on ? yes : no);
    }

    static Map<String, String> words(String... words) {
        return of(List.of(words), Function.identity());
    }

    private static <E> Map<String, E> of(List<? extends E> values, Function<E, String> word) {
        Map<String, E> choices = new LinkedHashMap<>();
        values.forEach(value -> choices.put(word.apply(value), value));
        return Collections.unmodifiableMap(choices);
    }
}
