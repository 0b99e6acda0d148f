package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.StopConditionLimits;

/** The circuit breaker of a manifest that sets none: one that its own limits can be reached with. */
public final class CircuitBreakers {
    /** Where a loop has no limit. */
    static final int UNLIMITED = 1000;

    private CircuitBreakers() {}

    /**
     * Writes the default into the document where it is more than the usual one, so that what is recorded of a run says
     * what held for it. Answers whether it did.
     */
    public static boolean resolve(ObjectNode document, Manifest manifest) {
        String conditions = "stop_conditions";
        JsonNode retry = document.path("retry");
        JsonNode set = retry.has(conditions) ? retry.path(conditions) : retry.path("stopConditions");
        if (set.has("circuitBreaker") || set.has("circuit_breaker")) {
            return false;
        }
        int launches = standard(document.path("phases"), manifest);
        if (launches <= StopConditionLimits.DEFAULTS.circuitBreaker()) {
            return false;
        }
        ObjectNode into = document.withObjectProperty("retry");
        into = into.withObjectProperty(into.hasNonNull(conditions) ? conditions : "stopConditions");
        into.put("circuitBreaker", launches);
        return true;
    }

    /** 50, or twice the launches that the limits in the manifest allow where that is more, 1000 without a limit. */
    static int standard(JsonNode phases, Manifest manifest) {
        long launches = 0;
        long least = StopConditionLimits.DEFAULTS.circuitBreaker();
        for (int index = 0; index < manifest.phases().size(); index++) {
            PhaseSpec phase = manifest.phases().get(index);
            boolean set = phases.path(index).path("loop").path("maxIterations").isNumber();
            if (phase instanceof LoopPhase loop && set) {
                least = loop.maxIterations() == 0 ? UNLIMITED : least;
                launches += (long) loop.maxIterations() * loop.steps().size();
            } else if (phase instanceof EachPhase each) {
                launches += (long) each.items().size()
                        * each.maxAttempts()
                        * each.steps().size();
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(least, 2 * launches));
    }
}
