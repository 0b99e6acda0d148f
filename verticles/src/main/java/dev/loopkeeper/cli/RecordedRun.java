package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.checkpoint.EventText;
import dev.loopkeeper.checkpoint.RunExplanation;
import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.StoredRun;
import java.util.List;

/** A run as the store has it, while nobody carries it out. */
final class RecordedRun {
    private RecordedRun() {}

    /** The fold of its events from the newest snapshot. */
    static RunState state(StoredRun run) {
        List<StoredEvent> events = run.events();
        boolean fromSnapshot = run.snapshot().isPresent();
        StoredEvent first = fromSnapshot ? null : events.get(0);
        RunState state = fromSnapshot
                ? StateJson.read(run.snapshot().get())
                : RunHistory.begin(first.type(), first.data(), first.at());
        for (StoredEvent event : fromSnapshot ? events : events.subList(1, events.size())) {
            state = RunHistory.next(state, event.type(), event.data(), event.at());
        }
        return state;
    }

    /** Adds the event to the chain of an explanation, if it belongs there. */
    static void link(ArrayNode chain, StoredEvent event) {
        if (RunExplanation.decides(event.type())) {
            ObjectNode link = chain.addObject();
            link.put("sequence", event.sequence()).put("at", event.at().toString());
            link.put("type", event.type());
            link.put("text", EventText.of(EventJson.read(event.type(), event.data())));
        }
    }
}
