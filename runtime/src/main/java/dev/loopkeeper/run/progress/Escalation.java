package dev.loopkeeper.run.progress;

import dev.loopkeeper.manifest.EscalateSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.run.step.Verdict;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts rejections for an agent that declares {@code escalate}.
 *
 * @param level how many agents took over in turn; 0: the agent itself works
 * @param rejected tries in a row that were rejected, since the last takeover
 */
public record Escalation(int level, int rejected) {
    private static final Escalation NONE = new Escalation(0, 0);

    /** The counts of these agents after a try. A success hands back to all of them. */
    static Map<String, Escalation> after(
            Map<String, Escalation> before, Verdict verdict, List<String> agents, Manifest manifest) {
        Map<String, Escalation> counted = new LinkedHashMap<>();
        if (verdict != Verdict.SUCCESS && verdict != Verdict.MILESTONE_SUCCESS) {
            agents.forEach(agent -> counted.put(
                    agent,
                    before.getOrDefault(agent, NONE).after(verdict == Verdict.STALLED, manifest.escalations(agent))));
        }
        counted.values().removeIf(NONE::equals);
        return Collections.unmodifiableMap(counted);
    }

    private Escalation after(boolean rejection, List<EscalateSpec> takeovers) {
        int held = Math.min(level, takeovers.size());
        if (!rejection || held == takeovers.size()) {
            return new Escalation(held, 0);
        }
        boolean takesOver = rejected + 1 >= takeovers.get(held).after();
        return takesOver ? new Escalation(held + 1, 0) : new Escalation(held, rejected + 1);
    }

    /** The agent that works in place of the declared one; a changed manifest may have fewer. */
    Optional<String> holder(List<EscalateSpec> takeovers) {
        return takeovers.stream().limit(level).map(EscalateSpec::to).reduce((earlier, later) -> later);
    }
}
