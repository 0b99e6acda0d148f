package dev.loopkeeper.rules;

import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of an input: events to make durable, then commands to execute.
 *
 * @param state after the events
 * @param refusal the refusal of a request; then there are no events
 * @param late an ignored input; recorded outside the run's history
 * @param preview the result of a dry run of a resume
 */
public record Decision(
        RunState state,
        List<RunEvent> events,
        List<RunCommand> commands,
        Optional<Refusal> refusal,
        Optional<String> late,
        Optional<ResumePreview> preview) {
    /** Joins this decision with the earlier one that it continues. */
    Decision after(Decision first) {
        List<RunEvent> all = new ArrayList<>(first.events());
        all.addAll(events);
        List<RunCommand> orders = new ArrayList<>(first.commands());
        orders.addAll(commands);
        return new Decision(state, List.copyOf(all), List.copyOf(orders), refusal, late, preview);
    }

    static Decision of(RunState state, List<RunEvent> events, List<RunCommand> commands) {
        return new Decision(
                state,
                List.copyOf(events),
                List.copyOf(commands),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The events of this type. */
    public <E extends RunEvent> Stream<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast);
    }

    static Decision refused(RunState state, Refusal refusal) {
        return new Decision(state, List.of(), List.of(), Optional.of(refusal), Optional.empty(), Optional.empty());
    }

    static Decision late(RunState state, String what) {
        return new Decision(state, List.of(), List.of(), Optional.empty(), Optional.of(what), Optional.empty());
    }

    static Decision preview(RunState state, ResumePreview preview) {
        return new Decision(state, List.of(), List.of(), Optional.empty(), Optional.empty(), Optional.of(preview));
    }
}
