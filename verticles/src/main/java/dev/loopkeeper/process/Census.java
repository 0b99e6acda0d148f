package dev.loopkeeper.process;

import java.util.List;
import java.util.Map;

/** Every process of the machine at one moment, those of the kernel left out. */
record Census(List<Seen> processes) {
    /**
     * One process.
     *
     * @param marks the {@code LOOPKEEPER_*} part of its environment
     */
    record Seen(Identity identity, ProcessStat stat, Map<String, String> marks) {
        /** The nonce it carries; empty when it carries none. */
        String nonce() {
            return marks.getOrDefault(StepEnvironment.NONCE, "");
        }
    }
}
