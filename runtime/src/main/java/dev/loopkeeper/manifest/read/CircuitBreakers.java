package dev.loopkeeper.manifest.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.StopConditionLimits;
import java.util.OptionalInt;

/** Computes the default circuit breaker of a manifest: one that its own limits can reach. */
public final class CircuitBreakers {
    /** The default for a loop without a limit. */
    static final int UNLIMITED = 1000;

    private CircuitBreakers() {}

    /**
     * Writes a default above the usual one into the document, so that the run's record shows it. Returns whether it
     * wrote one.
     */
    public static boolean resolve(ObjectNode document, Manifest manifest) {
        String conditions = "stop_conditions";
        if (!set(document).isMissingNode()) {
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

    private static JsonNode set(JsonNode document) {
        JsonNode retry = document.path("retry");
        JsonNode limits = retry.has("stop_conditions") ? retry.path("stop_conditions") : retry.path("stopConditions");
        return limits.path("circuitBreaker");
    }

    /**
     * The raised default once the items of a phase are known; empty when another value applies.
     *
     * @param before the manifest without those items
     * @param after the manifest with them
     */
    public static OptionalInt raised(JsonNode document, int inForce, Manifest before, Manifest after) {
        int known = standard(document.path("phases"), before);
        int more = standard(document.path("phases"), after);
        JsonNode set = set(document);
        // The document never contains a default below the usual one.
        boolean own = !set.isMissingNode() && set.asInt() <= StopConditionLimits.DEFAULTS.circuitBreaker();
        return !own && inForce == known && more > known ? OptionalInt.of(more) : OptionalInt.empty();
    }

    /** 50, or twice the launches that the manifest's limits allow if that is more; 1000 without a limit. */
    static int standard(JsonNode phases, Manifest manifest) {
        long sum = 0;
        long before = 0; // of the previous phase, which a gate reruns
        long least = StopConditionLimits.DEFAULTS.circuitBreaker();
        for (int index = 0; index < manifest.phases().size(); index++) {
            PhaseSpec phase = manifest.phases().get(index);
            boolean set = phases.path(index).path("loop").path("maxIterations").isNumber();
            boolean endless = phase instanceof LoopPhase loop && loop.maxIterations() == 0;
            least = set && endless ? UNLIMITED : least;
            long launches = launches(phase);
            sum += launches + (phase instanceof GatePhase gate ? gate.retries() * before : 0);
            before = launches;
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(least, 2 * sum));
    }

    private static long launches(PhaseSpec phase) {
        if (phase instanceof LoopPhase loop) {
            return (long) loop.maxIterations() * loop.steps().size();
        } else if (phase instanceof EachPhase each) {
            return (long) each.items().size()
                    * each.maxAttempts()
                    * each.steps().size();
        }
        return phase instanceof GatePhase gate ? 1L + gate.retries() : 1;
    }
}
