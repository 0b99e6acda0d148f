package dev.loopkeeper.run.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Names steps: {@code phase[.iteration][.item].agent.attempt}, e.g. {@code build.3.dev.1}. A repeated launch in the
 * same attempt gets a count, e.g. {@code build.3.dev.1-2}; so does an agent that occurs twice in an iteration.
 */
public final class StepIds {
    private StepIds() {}

    /** The id of the next launch. */
    public static String next(StepPosition position, String agent, int attempt, Map<String, Integer> launches) {
        String stem = stem(position, agent, attempt);
        int before = launches.getOrDefault(stem, 0);
        return before == 0 ? stem : stem + "-" + (before + 1);
    }

    /** The common prefix of all launches of an attempt. */
    public static String stem(StepPosition position, String agent, int attempt) {
        List<String> parts = new ArrayList<>();
        parts.add(position.phase());
        position.iteration().ifPresent(number -> parts.add(String.valueOf(number)));
        position.item().ifPresent(parts::add);
        parts.add(agent);
        parts.add(String.valueOf(attempt));
        return String.join(".", parts);
    }
}
