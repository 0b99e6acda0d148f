package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Identity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Notes in the folder of a step, as JSON. */
final class StepNotes {
    /**
     * How an agent ended, by its launcher.
     *
     * @param endTicks when it had ended and its pid was still its own, in clock ticks since boot; absent where unknown, and
     *     in notes of older launchers
     */
    record ExitNote(int exitCode, OptionalLong endTicks) {
        ExitNote {
            endTicks = endTicks == null ? OptionalLong.empty() : endTicks;
        }
    }

    /** Some of its processes, with how each was found, e.g. those that could not be killed. */
    record SurvivorsNote(List<Survivor> survivors) {
        /** One of them. */
        record Survivor(Identity identity, String foundBy) {}

        static SurvivorsNote of(Map<Identity, String> members) {
            return new SurvivorsNote(members.entrySet().stream()
                    .map(member -> new Survivor(member.getKey(), member.getValue()))
                    .toList());
        }

        /** Returns them in order, with how each was found. */
        Map<Identity, String> members() {
            Map<Identity, String> members = new LinkedHashMap<>();
            survivors.forEach(survivor -> members.put(survivor.identity(), survivor.foundBy()));
            return members;
        }
    }

    private StepNotes() {}
}
