package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps event records to their type names. */
public final class EventTypes {
    private static final Map<String, Class<? extends RunEvent>> RECORDS = records();

    private EventTypes() {}

    private static Map<String, Class<? extends RunEvent>> records() {
        Map<String, Class<? extends RunEvent>> records = new LinkedHashMap<>();
        for (Class<?> permitted : RunEvent.class.getPermittedSubclasses()) {
            Class<? extends RunEvent> record = permitted.asSubclass(RunEvent.class);
            records.put(of(record), record);
        }
        return records;
    }

    /** Every type, e.g. {@code run.created}, in the order of a run's lifecycle. */
    public static List<String> all() {
        return List.copyOf(RECORDS.keySet());
    }

    /** The type of this event, e.g. {@code step.finished}. */
    public static String of(RunEvent event) {
        return of(event.getClass());
    }

    /** The type name of a record class, e.g. {@code terminal-exhaustion} of {@link TerminalExhausted}. */
    public static String of(Class<? extends RunEvent> record) {
        return record.getAnnotation(JsonTypeName.class).value();
    }

    /** The record class of a type. */
    public static Optional<Class<? extends RunEvent>> record(String type) {
        return Optional.ofNullable(RECORDS.get(type));
    }
}
