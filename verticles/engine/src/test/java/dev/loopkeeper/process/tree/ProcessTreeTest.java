package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
    private static final long SELF = ProcessHandle.current().pid();
    private static final Identity LEADER = new Identity(100_000, 500, "boot");
    private static final String NONCE = "n-1";

    private final ProcessTree tree = new ProcessTree(NONCE, Optional.of(LEADER), true, Optional.empty());

    @Test
    void takesGroupSessionNonceAndDescendants() {
        ProcessSnapshot snapshot = snapshot(
                seen(100_000, 500, 1, 100_000, 100_000, NONCE),
                seen(100_001, 501, 100_000, 100_001, 100_000, ""),
                seen(100_002, 502, 1, 100_002, 100_002, NONCE),
                seen(100_003, 503, 100_002, 100_003, 100_003, ""),
                seen(100_004, 504, 1, 100_004, 100_004, "n-2"));

        assertThat(pids(tree.members(snapshot)))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(100_000L, "group", 100_001L, "session", 100_002L, "nonce", 100_003L, "descendant"));
    }

    @Test
    void aMemberStaysOneWithoutParentOrNonce() {
        var first = tree.members(snapshot(
                seen(100_000, 500, 1, 100_000, 100_000, NONCE), seen(100_009, 509, 100_000, 100_009, 100_009, "")));
        assertThat(first).hasSize(2);

        assertThat(pids(tree.members(snapshot(seen(100_009, 509, 1, 100_009, 100_009, "")))))
                .isEqualTo(Map.of(100_009L, "descendant"));
    }

    @Test
    void aProcessOlderThanTheLeaderIsNoMember() {
        assertThat(tree.members(snapshot(seen(100_005, 499, 1, 100_005, 100_005, NONCE))))
                .isEmpty();
    }

    @Test
    void theSessionOfARecycledPidIsNotTheSteps() {
        ProcessSnapshot snapshot = snapshot(
                seen(100_000, 900, 1, 100_000, 100_000, ""), seen(100_001, 901, 100_000, 100_000, 100_000, ""));

        assertThat(tree.members(snapshot)).isEmpty();
    }

    @Test
    void aSessionOfAnUnknownLeaderNeedsTheNonce() {
        ProcessTree unseen = new ProcessTree(NONCE, Optional.of(LEADER), false, Optional.empty());
        ProcessSnapshot.Seen stranger = seen(100_001, 501, 1, 100_000, 100_000, "");

        assertThat(unseen.members(snapshot(stranger))).isEmpty();
        assertThat(unseen.members(snapshot(stranger, seen(100_002, 502, 1, 100_000, 100_000, NONCE))))
                .hasSize(2);
    }

    @Test
    void aProcessBornInTheSessionBeforeItsLeadersEndIsAMember() {
        ProcessSnapshot.Seen before = seen(100_001, 700, 1, 100_000, 100_000, "");
        ProcessSnapshot.Seen after = seen(100_002, 702, 1, 100_002, 100_000, "");

        assertThat(pids(recalled(endedAt(701)).members(snapshot(before, after))))
                .isEqualTo(Map.of(100_001L, "group", 100_002L, "session"));
        assertThat(recalled(endedAt(701)).members(snapshot(after))).isEmpty();
    }

    /** Both numbers begin again with the machine. */
    @Test
    void ticksOfAnotherBootProveNothing() {
        ProcessSnapshot.Seen stranger = new ProcessSnapshot.Seen(
                new Identity(100_001, 700, "next-boot"),
                new ProcessStat(100_001, 'S', 1, 100_000, 100_000, 700),
                Map.of());

        assertThat(recalled(endedAt(701)).members(snapshot(stranger))).isEmpty();
    }

    private static ProcessTree endedAt(long ticks) {
        return new ProcessTree(NONCE, Optional.of(LEADER), false, Optional.empty())
                .recorded(new EndedRecord(ticks), true);
    }

    /** Reads the record without a scan. */
    private static ProcessTree recalled(ProcessTree tree) {
        assertThat(tree.members(snapshot(), new ProcFs())).isEmpty();
        return tree;
    }

    private record EndedRecord(long ticks) implements TreeRecord {
        @Override
        public OptionalLong leaderHeldUntil() {
            return OptionalLong.of(ticks);
        }

        @Override
        public List<Path> outputs() {
            return List.of();
        }

        @Override
        public Optional<Cgroup> enclosure() {
            return Optional.empty();
        }

        @Override
        public Optional<String> sandbox() {
            return Optional.empty();
        }

        @Override
        public Map<Identity, String> members() {
            return Map.of();
        }

        @Override
        public void noteMembers(Map<Identity, String> members) {
            throw new AssertionError(members);
        }
    }

    @Test
    void neverTheRuntimeItselfNorInit() {
        ProcessSnapshot snapshot =
                snapshot(seen(SELF, 600, 100_000, 100_000, 100_000, NONCE), seen(1, 600, 0, 1, 1, NONCE));

        assertThat(tree.members(snapshot)).isEmpty();
    }

    @Test
    void theDeadAreNoMembers() {
        ProcessSnapshot.Seen zombie = new ProcessSnapshot.Seen(
                LEADER, new ProcessStat(100_000, 'Z', 1, 100_000, 100_000, 500), Map.of(StepEnvironment.NONCE, NONCE));

        assertThat(tree.members(snapshot(zombie))).isEmpty();
    }

    private static ProcessSnapshot snapshot(ProcessSnapshot.Seen... seen) {
        return new ProcessSnapshot(List.of(seen), true);
    }

    private static ProcessSnapshot.Seen seen(
            long pid, long ticks, long parent, long group, long session, String nonce) {
        Map<String, String> marks = nonce.isEmpty() ? Map.of() : Map.of(StepEnvironment.NONCE, nonce);
        return new ProcessSnapshot.Seen(
                new Identity(pid, ticks, "boot"), new ProcessStat(pid, 'S', parent, group, session, ticks), marks);
    }

    private static Map<Long, String> pids(Map<Identity, String> members) {
        Map<Long, String> pids = new HashMap<>();
        members.forEach((identity, how) -> pids.put(identity.pid(), how));
        return pids;
    }
}
