package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.termination.RefusalCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks whether a changed manifest can replace that of a run: it must contain everything that has begun. */
final class ManifestFit {
    private static final String REMEDY = "; restore it, or submit the changed manifest as a new run";

    private final RunState state;
    private final Manifest before;
    private final Manifest after;
    private final List<ManifestProblem> problems = new ArrayList<>();

    private ManifestFit(RunState state, ChangedManifest changed) {
        this.state = state;
        this.before = state.manifest();
        this.after = changed.on(state).manifest();
    }

    /** The problems of the replacement; empty when it fits. */
    static List<ManifestProblem> problems(RunState state, ChangedManifest changed) {
        ManifestFit fit = new ManifestFit(state, changed);
        fit.fixed();
        for (int index = 0; index < state.begunPhases(); index++) {
            fit.phase(index);
        }
        return List.copyOf(fit.problems);
    }

    /** Checks what is fixed at the run's creation. */
    private void fixed() {
        require(after.name().equals(before.name()), "name", "a run keeps its name, which is " + before.name());
        boolean same = after.workspace().equals(before.workspace())
                || after.workspace().equals(state.plan().workspace());
        require(
                same,
                "workspace",
                "a run keeps its workspace, which is " + state.plan().workspace());
        require(after.isolation().equals(before.isolation()), "isolation", "a run keeps its isolation");
        require(after.notifications().equals(before.notifications()), "notify", "a run keeps its notifications");
    }

    private void phase(int index) {
        PhaseSpec was = before.phase(index);
        String path = "phases[" + index + "]";
        String begun = "expected the " + was.kind() + " " + was.name() + ", which has begun, found ";
        if (index >= after.phases().size()) {
            require(false, path, begun + "no phase");
            return;
        }
        PhaseSpec is = after.phase(index);
        boolean same = is.name().equals(was.name()) && is.kind().equals(was.kind());
        require(same, path, begun + "the " + is.kind() + " " + is.name());
        if (same && was instanceof EachPhase known && is instanceof EachPhase each) {
            items(path + ".each.items", known, each);
        }
        if (same && index == state.cursor().phaseIndex()) {
            steps(path + "." + is.kind() + ".steps", was, is);
        }
    }

    private void items(String path, EachPhase was, EachPhase is) {
        boolean same = dependencies(was).equals(dependencies(is)) && ids(was).equals(ids(is));
        require(
                same,
                path,
                "phase " + was.name() + " has begun with its items, whose ids, order and dependsOn cannot change;"
                        + " add new items in a new phase after it");
    }

    private static List<String> ids(EachPhase phase) {
        return phase.items().stream().map(ItemSpec::id).toList();
    }

    private static List<List<String>> dependencies(EachPhase phase) {
        return phase.items().stream().map(ItemSpec::dependsOn).toList();
    }

    /** Completed steps in an open iteration or attempt are counted by position. */
    private void steps(String path, PhaseSpec was, PhaseSpec is) {
        List<String> known = was.agents();
        List<String> now = is.agents();
        int done = Math.min(stepsDone(), known.size());
        boolean same = now.size() >= done && now.subList(0, done).equals(known.subList(0, done));
        require(
                same,
                path,
                "the open iteration or attempt of phase " + was.name() + " has completed the steps "
                        + String.join(", ", known.subList(0, done)) + "; keep them first, in this order");
    }

    private int stepsDone() {
        Work work = state.cursor().work();
        if (work instanceof LoopWork loop) {
            return loop.current().map(Iteration::nextStep).orElse(0);
        }
        return work instanceof EachWork each
                ? each.items().values().stream()
                        .filter(item -> item.status() == ItemStatus.RUNNING)
                        .mapToInt(item -> item.nextStep())
                        .max()
                        .orElse(0)
                : 0;
    }

    private void require(boolean holds, String path, String message) {
        if (!holds) {
            problems.add(ManifestProblem.at(path, message + REMEDY));
        }
    }

    /** The refusal of a resume with a manifest that does not fit. */
    static Refusal refusal(List<ManifestProblem> problems) {
        return new Refusal(
                RefusalCode.INVALID_MANIFEST,
                "the changed manifest does not fit the run: " + problems.get(0).text(),
                Map.of("errors", problems.stream().map(ManifestProblem::json).toList()));
    }
}
