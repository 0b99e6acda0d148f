package dev.loopkeeper.policy;

import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A limit on what all matching runs together may use in a window of time. It has a cost, tokens or both.
 *
 * @param costUsd above 0
 * @param tokens 1 or more
 * @param zone whose clock begins the windows
 * @param warnAt share at which a notice is given, above 0 and at most 1
 */
public record Cap(
        String name, OptionalDouble costUsd, OptionalLong tokens, Window per, ZoneId zone, Match match, double warnAt) {
    /** The share of a cap that names none. */
    public static final double DEFAULT_WARN_AT = 0.8;

    /**
     * The runs that a cap limits: those that fit both globs.
     *
     * @param name of the run, e.g. {@code fix-*}; absent: any
     * @param workspace absolute path of the run's workspace, e.g. {@code /srv/**}; absent: any
     */
    public record Match(Optional<String> name, Optional<String> workspace) {
        /** All runs. */
        public static final Match ALL = new Match(Optional.empty(), Optional.empty());

        /** Returns whether a run fits. */
        public boolean fits(String runName, String runWorkspace) {
            return name.map(glob -> Globs.fits(glob, runName)).orElse(true)
                    && workspace.map(glob -> Globs.fitsPath(glob, runWorkspace)).orElse(true);
        }
    }
}
