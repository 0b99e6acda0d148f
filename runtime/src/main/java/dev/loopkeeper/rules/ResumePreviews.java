package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.EachWork;
import dev.loopkeeper.run.ItemStatus;
import dev.loopkeeper.run.LoopWork;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Work;
import java.util.ArrayList;
import java.util.List;

/** Says in words what a resume would keep and what it would do again. */
final class ResumePreviews {
    private ResumePreviews() {}

    static ResumePreview of(RunState state, List<String> missing, String why) {
        List<String> kept = new ArrayList<>();
        state.plan().manifest().phases().stream()
                .limit(state.cursor().phaseIndex())
                .map(PhaseSpec::name)
                .forEach(name -> kept.add("phase " + name));
        List<String> redone = new ArrayList<>();
        Work work = state.cursor().work();
        if (work instanceof LoopWork loop) {
            kept.add(loop.done() + " iterations");
            loop.current().ifPresent(current -> redone.add("the open step of iteration " + current.number()));
        } else if (work instanceof EachWork each) {
            each.ids(item -> item.status() == ItemStatus.APPROVED).forEach(id -> kept.add("item " + id));
            each.ids(item -> item.status() != ItemStatus.APPROVED).forEach(id -> redone.add("item " + id));
        } else {
            state.phase().ifPresent(phase -> redone.add("phase " + phase.name()));
        }
        return new ResumePreview(missing.isEmpty(), missing, List.copyOf(kept), List.copyOf(redone), why);
    }
}
