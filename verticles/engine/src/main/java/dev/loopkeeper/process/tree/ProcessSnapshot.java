package dev.loopkeeper.process.tree;

import java.util.List;
import java.util.Map;

/**
 * All processes of the machine except kernel threads at one moment. Their attributes may be older, see
 * {@link ProcessTable}.
 *
 * @param whole whether every listed process was read; otherwise a child of an unread process may be missing
 */
public record ProcessSnapshot(List<Seen> processes, boolean whole) {
    /**
     * A process.
     *
     * @param marks the {@code LOOPKEEPER_*} variables of its environment
     * @param bornOf pid of its parent while that was alive; 0 if unknown
     */
    public record Seen(Identity identity, ProcessStat stat, Map<String, String> marks, long bornOf) {
        Seen(Identity identity, ProcessStat stat, Map<String, String> marks) {
            this(identity, stat, marks, stat.parent());
        }

        boolean carries(String nonce) {
            return !marks.isEmpty() && nonce.equals(marks.get(StepEnvironment.NONCE));
        }

        /** Returns its nonce; empty if it has none. */
        public String nonce() {
            return marks.getOrDefault(StepEnvironment.NONCE, "");
        }
    }
}
