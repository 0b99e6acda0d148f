package dev.loopkeeper.work;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the parts of a step happened, by one monotonic clock of this process: to find out where its time goes. Logged by
 * {@code dev.loopkeeper.spans} at TRACE, one line a point, {@code <runId> <stepId> <point> <nanoseconds>}, e.g.
 * {@code demo-x7k2 build.1.dev.1 agent-gone 81234567890}; nothing is done at any other level. Safe to use from any
 * thread.
 */
public final class StepSpans {
    /** The logger's name. */
    public static final String LOGGER = "dev.loopkeeper.spans";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** What happened, in the order in which it does. */
    public enum Point {
        /** The run is about to record that the step is to be launched. */
        DECIDED,
        /** That is durable. */
        DURABLE,
        /** The place of its signal is free. */
        PREPARED,
        /** The process supervisor was asked. */
        ASKED,
        /** The agent is known to run. */
        BEGUN,
        /** The agent is known to be gone, its exit status is read. */
        AGENT_GONE,
        /** Nothing that it left lives any more. */
        SWEPT,
        /** The supervisor has read what its folder tells. */
        LEFTOVERS_READ,
        /** The scheduler knows of its end. */
        EXIT_TOLD,
        /** Its signal is read. */
        SIGNAL_READ,
        /** Its output is read. */
        OUTPUT_READ,
        /** Its workspace is looked at. */
        DIGESTED,
        /** The run is about to record its end, and what follows from that. */
        END_DECIDED,
        /** That is durable. */
        END_DURABLE;

        private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /** E.g. {@code agent-gone}. */
        public String word() {
            return word;
        }
    }

    private StepSpans() {}

    /** This is now. */
    public static void mark(String runId, String stepId, Point point) {
        if (LOG.isTraceEnabled()) {
            LOG.trace("{} {} {} {}", runId, stepId, point.word(), System.nanoTime());
        }
    }
}
