package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import java.util.List;
import java.util.Optional;

/**
 * A manifest that replaces a run's own from a resume on.
 *
 * @param manifest the document as it was given, overrides in place
 * @param resolved what it means, defaults included; the document is never read again
 * @param baseDir absolute path of the folder that its relative paths start from
 * @param file from which it was read; absent where it was no file
 * @param changes what differs from the manifest before, e.g. {@code phases.build.loop.maxIterations: 3 -> 5}; empty
 *     until the resume is decided, and where nothing differs
 */
public record ChangedManifest(
        JsonNode manifest,
        Manifest resolved,
        String baseDir,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ManifestFile> file,
        List<String> changes) {
    /** What is missing in a record is absent. */
    public ChangedManifest {
        file = file == null ? Optional.empty() : file;
    }

    /** The same with what differs from the manifest before. */
    public ChangedManifest withChanges(List<String> found) {
        return new ChangedManifest(manifest, resolved, baseDir, file, found);
    }

    /**
     * The state of a run as this manifest leaves it: its plan, its limits and those of its present phase. A limit that
     * this manifest leaves as it was stays as earlier resumes set it.
     */
    public RunState on(RunState state) {
        Manifest before = state.plan().manifest();
        Manifest after = withKnownItems(state);
        Plan plan = new Plan(manifest, after, state.plan().workspace(), baseDir, file);
        return state.with(plan).with(state.limits().changed(before, after)).with(work(state, after));
    }

    /** Items that came from a file are those that were read when their phase began. */
    private Manifest withKnownItems(RunState state) {
        Manifest known = resolved;
        int common = Math.min(state.begunPhases(), resolved.phases().size());
        for (int index = 0; index < common; index++) {
            if (known.phase(index) instanceof EachPhase each
                    && each.itemsFrom().isPresent()
                    && state.plan().manifest().phase(index) instanceof EachPhase begun) {
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
        PhaseSpec was = state.plan().manifest().phase(index);
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
