package dev.loopkeeper.process.tree;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is on record of a tree, for a runtime that did not see all of its life: its agent may have ended while no runtime
 * lived, or one that was killed in the middle may have begun to end it. Blocking.
 */
public interface TreeRecord {
    /** Until when its leader had its pid for sure, in clock ticks since boot; absent where nobody recorded its end. */
    OptionalLong leaderHeldUntil() throws IOException;

    /** Where its processes print: files into which nobody else writes. */
    List<Path> outputs() throws IOException;

    /** The control group in which its agent was launched. */
    Optional<Cgroup> enclosure() throws IOException;

    /** Who was noted, with how each was found. */
    Map<Identity, String> members() throws IOException;

    /** Notes exactly these: once they lose their parents, nothing else may tell whose they are. */
    void noteMembers(Map<Identity, String> members) throws IOException;
}
