package dev.loopkeeper.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.BudgetWarning;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.PhaseStarted;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunPausing;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStarted;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.RunWaiting;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepRetrying;
import dev.loopkeeper.run.StepSignal;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.StepUsage;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.run.TerminalExhausted;
import dev.loopkeeper.run.TerminalExhaustionCleared;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The types of events and the form of their data. */
public final class EventJson {
    private static final Map<String, Class<? extends RunEvent>> CLASSES = classes();
    private static final Map<Class<? extends RunEvent>, String> TYPES = types();

    private EventJson() {}

    private static Map<String, Class<? extends RunEvent>> classes() {
        Map<String, Class<? extends RunEvent>> classes = new LinkedHashMap<>();
        classes.put("run.created", RunCreated.class);
        classes.put("run.queued", RunQueued.class);
        classes.put("run.started", RunStarted.class);
        classes.put("run.resumed", RunResumed.class);
        classes.put("run.pausing", RunPausing.class);
        classes.put("run.paused", RunPaused.class);
        classes.put("run.waiting", RunWaiting.class);
        classes.put("run.stopping", RunStopping.class);
        classes.put("run.ended", RunEnded.class);
        classes.put("phase.started", PhaseStarted.class);
        classes.put("phase.finished", PhaseFinished.class);
        classes.put("iteration.started", IterationStarted.class);
        classes.put("iteration.finished", IterationFinished.class);
        classes.put("item.started", ItemStarted.class);
        classes.put("item.finished", ItemFinished.class);
        classes.put("step.started", StepStarted.class);
        classes.put("step.usage", StepUsage.class);
        classes.put("step.signal", StepSignal.class);
        classes.put("step.retrying", StepRetrying.class);
        classes.put("step.finished", StepFinished.class);
        classes.put("step.swept", StepSwept.class);
        classes.put("budget.warning", BudgetWarning.class);
        classes.put("stop", StopAsked.class);
        classes.put("terminal-exhaustion", TerminalExhausted.class);
        classes.put("terminal-exhaustion.cleared", TerminalExhaustionCleared.class);
        classes.put("notice", Notice.class);
        return classes;
    }

    private static Map<Class<? extends RunEvent>, String> types() {
        Map<Class<? extends RunEvent>, String> types = new LinkedHashMap<>();
        CLASSES.forEach((type, kind) -> types.put(kind, type));
        return types;
    }

    /** Every type, e.g. {@code run.created}. */
    public static Set<String> allTypes() {
        return CLASSES.keySet();
    }

    /** The type of this event, e.g. {@code step.finished}. */
    public static String typeOf(RunEvent event) {
        return typeOf(event.getClass());
    }

    /** The type of events of this kind, e.g. {@code terminal-exhaustion} of {@code TerminalExhausted}. */
    public static String typeOf(Class<? extends RunEvent> kind) {
        return TYPES.get(kind);
    }

    /** The event's data, with their {@code formatVersion}. */
    public static JsonNode write(RunEvent event) {
        return EventFormat.stamped(CheckpointMapper.MAPPER.valueToTree(event));
    }

    /** Reads an event back, of this or an older format. Fails with {@link CheckpointException} on an unknown type or unreadable data. */
    public static RunEvent read(String type, JsonNode data) {
        EventFormat present = EventFormat.upgrade(type, data);
        Class<? extends RunEvent> kind = CLASSES.get(present.type());
        if (kind == null) {
            throw new CheckpointException("unknown event type " + type + ": written by a newer version?");
        }
        try {
            return CheckpointMapper.MAPPER.treeToValue(present.data(), kind);
        } catch (JsonProcessingException unreadable) {
            throw new CheckpointException(
                    "unreadable data of an event " + type + ": " + unreadable.getOriginalMessage());
        }
    }
}
