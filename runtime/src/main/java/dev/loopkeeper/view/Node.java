package dev.loopkeeper.view;

import dev.loopkeeper.json.WireName;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A machine that carries out runs, as {@code GET /nodes} lists it.
 *
 * @param node its name; {@code local} where there is no cluster
 * @param self whether it is the one that answers
 * @param silentMillis how long nothing was heard of it; absent where it is live
 * @param url where it serves HTTP; absent where it does not
 * @param version of its program
 * @param runs that it carries out now
 * @param places how many it may carry out at once; absent: no limit
 */
public record Node(
        String node,
        State state,
        boolean self,
        OptionalLong silentMillis,
        Optional<String> url,
        String version,
        OptionalInt runs,
        OptionalInt places) {
    /** The only one where there is no cluster. */
    public static final String LOCAL = "local";

    /** How it is. */
    public enum State implements WireName {
        /** It works. */
        LIVE,
        /** It was not heard of for a while. */
        SILENT,
        /** Its runs were taken over. */
        FENCED,
        /** It ended in order. */
        LEFT;

        @Override
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
