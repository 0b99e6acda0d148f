package dev.loopkeeper.ownership;

import static dev.loopkeeper.ownership.Fault.Kind.CUT;
import static dev.loopkeeper.ownership.Fault.Kind.DATABASE_DOWN;
import static dev.loopkeeper.ownership.Fault.Kind.KILL_RUNTIME;
import static dev.loopkeeper.ownership.Fault.Kind.PAUSE_AFTER_RENEWAL;
import static dev.loopkeeper.ownership.Fault.Kind.PAUSE_MACHINE;
import static dev.loopkeeper.ownership.Fault.Kind.PAUSE_RUNTIME;
import static dev.loopkeeper.ownership.Fault.Kind.WALL_CLOCK_STEP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol itself against a database, clocks and processes that are played. Another count:
 * {@code -Dloopkeeper.cluster.schedules=1000000}; the same schedule again: {@code -Dloopkeeper.seed=N}, where N is the seed
 * that a failure names, with a count of 1.
 */
class ClusterSimulationTest {
    private static final long SEEDS = 100;
    private static final long LONG_AFTER = 24_000;

    /** The first node begins with a long lease. */
    private static final LeasePlan LONG_THERE =
            (node, start) -> node == 0 && start == 1 ? LeasePlan.seconds(20) : LeasePlan.seconds(6);

    @Test
    void noRunIsExecutedByTwoNodesInRandomSchedules() {
        long first = Long.getLong("loopkeeper.seed", 20_261_122L);
        long count = Long.getLong("loopkeeper.cluster.schedules", 3_000);
        assertThat(LongStream.range(first, first + count)
                        .parallel()
                        .mapToObj(ClusterSimulationTest::broken)
                        .filter(Objects::nonNull)
                        .findAny())
                .isEmpty();
    }

    private static String broken(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed, ProtocolBug.NONE).run();
        return cluster.broken().isEmpty()
                ? null
                : "-Dloopkeeper.seed=" + seed + ": " + cluster.broken() + ", " + cluster;
    }

    /** Faults in which this error shows, and how many of a hundred pieces of a launch are slow. */
    static Stream<Arguments> bugs() {
        return Stream.of(
                // The answer waits in the socket of a runtime that is paused, then the node is silent and has not
                // reported
                // any
                // more.
                bug(
                        ProtocolBug.DEADLINE_FROM_REPLY,
                        0,
                        fault(PAUSE_AFTER_RENEWAL, 13_000),
                        fault(CUT, 12_300, LONG_AFTER)),
                bug(ProtocolBug.DATABASE_CLOCK, 0, fault(WALL_CLOCK_STEP, 30_000)),
                // No node can renew, and then the first to come back takes all the others for dead.
                bug(ProtocolBug.OBSERVATION_ACROSS_SESSIONS, 0, fault(DATABASE_DOWN, 20_000)),
                bug(ProtocolBug.CLOCK_STANDS_STILL, 0, fault(PAUSE_MACHINE, 30_000)),
                // A thread that was about to launch continues after its node has got a new lease.
                bug(ProtocolBug.LAUNCH_OF_AN_EARLIER_LEASE, 90, fault(PAUSE_RUNTIME, 20_000)),
                bug(
                        ProtocolBug.WARDEN_ASKS_FIRST,
                        0,
                        fault(KILL_RUNTIME, 40_000),
                        fault(PAUSE_MACHINE, 11_000, 25_000)),
                bug(ProtocolBug.RELEASED_BEFORE_GONE, 0, fault(KILL_RUNTIME, 12_000)),
                bug(ProtocolBug.ANOTHERS_LEASE_BY_ONES_OWN, LONG_THERE, fault(KILL_RUNTIME, 40_000)),
                // It has joined, and dies before its warden and its launchers know of it.
                bug(
                        ProtocolBug.SHORTER_LEASE_AT_ONCE,
                        LONG_THERE,
                        fault(KILL_RUNTIME, 10_500),
                        fault(KILL_RUNTIME, 10_504, 40_000)));
    }

    private static Arguments bug(ProtocolBug bug, int slowLaunches, Fault... faults) {
        return Arguments.of(bug, slowLaunches, LeasePlan.SAME, List.of(faults));
    }

    private static Arguments bug(ProtocolBug bug, LeasePlan leases, Fault... faults) {
        return Arguments.of(bug, 0, leases, List.of(faults));
    }

    private static Fault fault(Fault.Kind kind, long until) {
        return fault(kind, 10_000, until);
    }

    private static Fault fault(Fault.Kind kind, long at, long until) {
        return new Fault(kind, 0, at, until);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void findsEachFaultOfTheProtocol(ProtocolBug bug, int slowLaunches, LeasePlan leases, List<Fault> faults) {
        List<SimulatedCluster> flawed = clusters(bug, slowLaunches, leases, faults);
        List<SimulatedCluster> sound = clusters(ProtocolBug.NONE, slowLaunches, leases, faults);

        assertThat(flawed.stream().filter(cluster -> !cluster.broken().isEmpty()))
                .isNotEmpty();
        assertThat(sound.stream().flatMap(cluster -> cluster.broken().stream())).isEmpty();
    }

    @Test
    void eachFaultOfTheProtocolHasATest() {
        assertThat(bugs().map(bug -> bug.get()[0]))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProtocolBug.values())
                        .filter(bug -> bug != ProtocolBug.NONE)
                        .toList());
    }

    private static List<SimulatedCluster> sound(Fault... faults) {
        return clusters(ProtocolBug.NONE, 0, LeasePlan.SAME, List.of(faults));
    }

    private static List<SimulatedCluster> clusters(
            ProtocolBug bug, int slowLaunches, LeasePlan leases, List<Fault> faults) {
        return LongStream.range(0, SEEDS)
                .parallel()
                .mapToObj(seed -> new SimulatedCluster(seed, bug, shifted(faults, seed), leases, slowLaunches).run())
                .toList();
    }

    /** Renewals come every 2 s: faults at any moment between two. */
    private static List<Fault> shifted(List<Fault> faults, long seed) {
        return faults.stream().map(fault -> fault.later(shift(seed))).toList();
    }

    private static long shift(long seed) {
        return seed * 97 % 2_000;
    }

    /** In milliseconds from the fault to the first agent elsewhere. */
    @ParameterizedTest
    @CsvSource({
        "KILL_RUNTIME, 9000",
        "KILL_BOTH, 9000",
        "PAUSE_RUNTIME, 9000",
        "PAUSE_MACHINE, 9000",
        "LEAVE, 9000",
        "CUT, 9000",
        "CUT_TO_DATABASE, 9000",
        "CUT_FROM_DATABASE, 10500",
        "LOSE_WARDEN, 9500"
    })
    void aRunContinuesElsewhereWithinTenSecondsOfItsNodesFailure(Fault.Kind kind, long most) {
        List<SimulatedCluster> all = sound(fault(kind, LONG_AFTER));

        assertThat(all.stream().flatMap(cluster -> cluster.broken().stream())).isEmpty();
        assertThat(LongStream.range(0, SEEDS)
                        .map(seed -> all.get((int) seed).longestTakeover(10_000 + shift(seed)))
                        .max()
                        .orElseThrow())
                .isBetween(1L, most);
    }

    /** From the end of the last process there to the beginning of the first elsewhere. */
    @ParameterizedTest
    @CsvSource({
        "KILL_RUNTIME",
        "KILL_BOTH",
        "PAUSE_RUNTIME",
        "CUT",
        "CUT_TO_DATABASE",
        "CUT_FROM_DATABASE",
        "LOSE_WARDEN"
    })
    void theFormerOwnersProcessesAreGoneASecondBefore(Fault.Kind kind) {
        assertThat(sound(fault(kind, LONG_AFTER)).stream()
                        .mapToLong(SimulatedCluster::smallestMargin)
                        .min()
                        .orElseThrow())
                .isGreaterThan(1_000);
    }

    @ParameterizedTest
    @CsvSource({
        "CUT, 12500",
        "DATABASE_DOWN, 12500",
        "PAUSE_RUNTIME, 12500",
        "KILL_RUNTIME, 12000",
        "PAUSE_WARDEN, 24000",
        "KILL_WARDEN, 24000",
        "WALL_CLOCK_STEP, 24000"
    })
    void aShortFaultMovesNothing(Fault.Kind kind, long until) {
        assertThat(sound(fault(kind, until)).stream()
                        .mapToInt(cluster -> cluster.database().fences()))
                .containsOnly(0);
    }

    @Test
    void withoutAFaultNothingMoves() {
        assertThat(sound().stream().mapToInt(cluster -> cluster.database().fences()))
                .containsOnly(0);
    }
}
