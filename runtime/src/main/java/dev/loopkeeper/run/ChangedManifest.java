package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.Work;
import java.util.List;
import java.util.Optional;

/**
 * A manifest that replaces a run's manifest at a resume.
 *
 * @param manifest the original document with overrides applied
 * @param resolved the parsed document with defaults; the document is never parsed again
 * @param baseDir absolute path of the folder for relative paths
 * @param file the source file; absent when the manifest did not come from a file
 * @param changes differences from the previous manifest, e.g. {@code phases.build.loop.maxIterations: 3 -> 5}; empty
 * until the resume is decided, and without differences
 */
public record ChangedManifest(
        JsonNode manifest,
        Manifest resolved,
        String baseDir,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ManifestFile> file,
        List<String> changes) {
    /** Returns a copy with the differences from the previous manifest. */
    public ChangedManifest withChanges(List<String> differences) {
        return new ChangedManifest(manifest, resolved, baseDir, file, differences);
    }

    /**
     * Applies this manifest to a run: its plan, its limits and the limits of the current phase. A limit that this
     * manifest does not change keeps its value from earlier resumes.
     */
    public RunState on(RunState state) {
        Manifest before = state.manifest();
        Manifest after = withKnownItems(state);
        Plan plan = new Plan(manifest, after, state.plan().workspace(), baseDir, file);
        return state.withPlan(plan)
                .withLimits(state.limits().changed(before, after))
                .withWork(work(state, after));
    }

    /** Keeps items that came from a file as they were read when their phase began. */
    private Manifest withKnownItems(RunState state) {
        Manifest known = resolved;
        int common = Math.min(state.begunPhases(), resolved.phases().size());
        for (int index = 0; index < common; index++) {
            if (known.phase(index) instanceof EachPhase each
                    && each.itemsFrom().isPresent()
                    && state.manifest().phase(index) instanceof EachPhase begun) {
                known = known.withPhase(index, each.having(begun.items()));
            }
        }
        return known;
    }

    private static Work work(RunState state, Manifest after) {
        Work work = state.cursor().work();
        int index = state.cursor().phaseIndex();
        if (index >= state.begunPhases() || index >= after.phases().size()) {
            return work;
        }
        PhaseSpec was = state.manifest().phase(index);
        PhaseSpec is = after.phase(index);
        if (work instanceof LoopWork loop && was instanceof LoopPhase before && is instanceof LoopPhase now) {
            return before.maxIterations() == now.maxIterations() ? loop : loop.withAllowance(now.maxIterations());
        }
        if (work instanceof EachWork each && was instanceof EachPhase before && is instanceof EachPhase now) {
            return before.maxAttempts() == now.maxAttempts()
                    ? each
                    : new EachWork(each.items(), Math.max(now.maxAttempts(), each.leastAttempts()));
        }
        return work;
    }
}
