package dev.loopkeeper.process.tree;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every process of the machine, those of the kernel left out. Who is there is of one moment; how someone is may be of an
 * earlier one, see {@link ProcessTable}.
 *
 * @param index of the same; absent where no more than a few trees are looked for
 * @param whole whether all who were listed were seen; else somebody who was born of one of the others may be missing
 */
public record ProcessSnapshot(List<Seen> processes, Optional<ProcessIndex> index, boolean whole) {
    /** A whole one without an index. */
    public ProcessSnapshot(List<Seen> processes) {
        this(processes, Optional.empty(), true);
    }

    ProcessSnapshot indexed() {
        return new ProcessSnapshot(processes, Optional.of(new ProcessIndex(processes)), whole);
    }

    /**
     * One process.
     *
     * @param marks the {@code LOOPKEEPER_*} part of its environment
     * @param bornOf whose child it was known to be while that one lived; 0 when that is not known
     */
    public record Seen(Identity identity, ProcessStat stat, Map<String, String> marks, long bornOf) {
        Seen(Identity identity, ProcessStat stat, Map<String, String> marks) {
            this(identity, stat, marks, stat.parent());
        }

        boolean carries(String nonce) {
            return !marks.isEmpty() && nonce.equals(marks.get(StepEnvironment.NONCE));
        }

        /** The nonce it carries; empty when it carries none. */
        public String nonce() {
            return marks.getOrDefault(StepEnvironment.NONCE, "");
        }
    }
}
