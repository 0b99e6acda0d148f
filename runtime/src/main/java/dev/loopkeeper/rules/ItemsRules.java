package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.read.CircuitBreakers;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.PhaseStarted;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.PauseReason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads an {@code each} phase's items from a file when the phase begins, and records them. */
final class ItemsRules {
    private ItemsRules() {}

    /** Begins the phase or requests its items; false when it must wait for them. */
    static boolean begin(DecisionBuilder builder, PhaseSpec phase) {
        RunState state = builder.state();
        int index = state.cursor().phaseIndex();
        Optional<String> file = phase instanceof EachPhase each ? each.itemsFrom() : Optional.empty();
        if (file.isEmpty()) {
            builder.emit(new PhaseStarted(phase.name(), phase.kind(), index));
            return true;
        }
        Optional<List<ItemSpec>> items = builder.takeItems();
        items.ifPresentOrElse(
                list -> builder.emit(new PhaseStarted(
                        phase.name(), phase.kind(), index, items, circuitBreaker(state, (EachPhase) phase, list))),
                () -> builder.command(new RunCommand.ReadItems(
                        phase.name(), file.get(), WorktreeNames.of(state, Optional.empty()), index == 0)));
        return items.isPresent();
    }

    private static OptionalInt circuitBreaker(RunState state, EachPhase phase, List<ItemSpec> items) {
        Manifest before = state.manifest();
        return CircuitBreakers.raised(
                state.plan().document(),
                state.limits().stopConditions().circuitBreaker(),
                before,
                before.withPhase(state.cursor().phaseIndex(), phase.having(items)));
    }

    /** Begins the phase that waits for these items, or pauses the run if they cannot be read. */
    static Decision decide(DecisionBuilder builder, RunInput.ItemsRead read) {
        if (!waitsFor(builder, read.phase())) {
            return Decision.late(builder.state(), "items of phase " + read.phase() + ", which does not wait for items");
        }
        if (read.problem().isPresent()) {
            String message = "the items of phase " + read.phase() + " cannot be read: "
                    + read.problem().get();
            builder.pause(Pause.of(PauseReason.ANOMALY, message, builder.at()));
        } else {
            builder.giveItems(read.items());
            PhaseDriver.run(builder);
        }
        return builder.done();
    }

    private static boolean waitsFor(DecisionBuilder builder, String phase) {
        RunState state = builder.state();
        return state.condition().proceeds()
                && builder.mayStart()
                && state.consultation().isEmpty()
                && state.cursor().work() instanceof Work.None
                && state.phase()
                        .filter(each -> each instanceof EachPhase && each.name().equals(phase))
                        .isPresent();
    }
}
