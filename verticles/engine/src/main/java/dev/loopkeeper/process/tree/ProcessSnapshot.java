package dev.loopkeeper.process.tree;

import java.util.List;
import java.util.Map;

/** Every process of the machine at one moment, those of the kernel left out. */
public record ProcessSnapshot(List<Seen> processes) {
    /**
     * One process.
     *
     * @param marks the {@code LOOPKEEPER_*} part of its environment
     */
    public record Seen(Identity identity, ProcessStat stat, Map<String, String> marks) {
        /** The nonce it carries; empty when it carries none. */
        public String nonce() {
            return marks.getOrDefault(StepEnvironment.NONCE, "");
        }
    }
}
