package dev.loopkeeper.process.tree;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Record of a process tree, for a runtime that did not see all of its life: the agent may have ended without a runtime,
 * or a killed runtime may have begun to end it. Blocks.
 */
public interface TreeRecord {
    /**
     * Returns until when the leader certainly had its pid, in clock ticks since boot; empty if its end was not
     * recorded.
     */
    OptionalLong leaderHeldUntil() throws IOException;

    /** Returns log files that only processes of the tree write. */
    List<Path> outputs() throws IOException;

    /** Returns the control group in which the agent was launched. */
    Optional<Cgroup> enclosure() throws IOException;

    /** Returns what the kernel enforces on the processes; empty without a sandbox. */
    Optional<String> sandbox() throws IOException;

    /** Returns recorded members, with how each was found. */
    Map<Identity, String> members() throws IOException;

    /** Records exactly these members, which nothing else may identify once they lose their parents. */
    void noteMembers(Map<Identity, String> members) throws IOException;
}
