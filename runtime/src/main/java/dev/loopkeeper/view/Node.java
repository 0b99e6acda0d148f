package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.json.WireName;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A server that executes runs, as {@code GET /nodes} lists it.
 *
 * @param node its name; {@code local} without a cluster
 * @param self whether it sent this answer
 * @param silentMillis time since its last heartbeat; absent for a live node
 * @param url its HTTP URL; absent without HTTP
 * @param version of its program
 * @param load its active runs
 */
public record Node(
        String node,
        State state,
        boolean self,
        OptionalLong silentMillis,
        Optional<String> url,
        String version,
        @JsonUnwrapped Load load) {
    /**
     * How much of a node is in use.
     *
     * @param runs number of its active runs
     * @param places number of its run slots; absent: no limit
     */
    public record Load(OptionalInt runs, OptionalInt places) {
        /** Unknown. */
        public static final Load NONE = new Load(OptionalInt.empty(), OptionalInt.empty());
    }

    /** The name of the only node without a cluster. */
    public static final String LOCAL = "local";

    /** The state of a node. */
    public enum State implements WireName {
        /** The node works. */
        LIVE,
        /** The node sent no heartbeat for a while. */
        SILENT,
        /** Other nodes took over its runs. */
        FENCED,
        /** The node shut down. */
        LEFT;
    }
}
