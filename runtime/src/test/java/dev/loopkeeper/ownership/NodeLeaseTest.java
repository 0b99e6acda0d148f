package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.LeaseState.Doubtful;
import dev.loopkeeper.ownership.LeaseState.Fencing;
import dev.loopkeeper.ownership.LeaseState.Joining;
import dev.loopkeeper.ownership.LeaseState.Lease;
import dev.loopkeeper.ownership.LeaseState.Live;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Times are milliseconds of the boot clock; the last answered question was sent at 100,000. */
class NodeLeaseTest {
    private static final LeaseTerms TERMS = LeaseTerms.DEFAULTS;
    private static final NodeLease RULES = new NodeLease(TERMS);
    private static final LeaseState LIVE = new Live(new Lease(3, time(105_000), Optional.empty(), time(102_000)));
    private static final LeaseState ASKED =
            new Live(new Lease(3, time(105_000), Optional.of(time(102_000)), time(102_000)));
    private static final LeaseState DOUBTFUL =
            new Doubtful(new Lease(3, time(105_000), Optional.of(time(102_000)), time(102_000)));
    private static final LeaseState JOINING =
            new Joining(Optional.of(time(105_000)), Optional.of(time(101_000)), time(101_000));
    private static final LeaseState FENCING = new Fencing(time(106_500));

    private static BootTime time(long millis) {
        return new BootTime(millis);
    }

    private static LeaseDecision decide(LeaseState state, LeaseInput input) {
        return RULES.decide(state, input);
    }

    private static LeaseState held(long deadline, long next) {
        return new Live(new Lease(3, time(deadline), Optional.empty(), time(next)));
    }

    @Test
    void aStartWithoutAFileEndsWhatIsLeftBeforeItJoins() {
        assertThat(decide(NodeLease.OUT, new LeaseInput.Started(time(100_000), Optional.empty())))
                .isEqualTo(ending(100_000));
        assertThat(decide(new Fencing(time(100_000)), new LeaseInput.TreesGone(time(100_050))))
                .isEqualTo(LeaseDecision.of(
                        new Joining(Optional.empty(), Optional.of(time(100_050)), time(100_050)),
                        new LeaseCommand.Join(time(100_050))));
    }

    @Test
    void aStartWithinTheFormerLeaseLeavesTheAgentsAlive() {
        LeaseDecision started =
                decide(NodeLease.OUT, new LeaseInput.Started(time(101_000), Optional.of(time(105_000))));

        assertThat(started).isEqualTo(LeaseDecision.of(JOINING, new LeaseCommand.Join(time(101_000))));
        assertThat(decide(JOINING, new LeaseInput.Joined(time(101_030), time(101_000), 4)))
                .isEqualTo(LeaseDecision.of(
                        new Live(new Lease(4, time(106_000), Optional.empty(), time(103_000))),
                        new LeaseCommand.WriteFile(new LeaseFile(4, time(106_000))),
                        new LeaseCommand.RecoverRuns(4)));
    }

    @Test
    void aStartAfterTheFormerLeaseEndsTheAgentsAtOnce() {
        assertThat(decide(NodeLease.OUT, new LeaseInput.Started(time(105_000), Optional.of(time(105_000)))))
                .isEqualTo(ending(105_000));
    }

    @Test
    void inheritedAgentsEndAtTheirDeadlineThoughTheNodeHasNotJoined() {
        assertThat(TickTimes.next(JOINING, TERMS)).contains(time(105_000));
        assertThat(decide(JOINING, new LeaseInput.Tick(time(105_000)))).isEqualTo(ending(106_500));
        assertThat(decide(JOINING, new LeaseInput.Joined(time(105_000), time(101_000), 4)))
                .isEqualTo(ending(106_500));
    }

    @Test
    void aJoinWithoutAnAnswerIsAskedAgain() {
        LeaseState again = new Joining(Optional.of(time(105_000)), Optional.empty(), time(102_750));
        assertThat(decide(JOINING, new LeaseInput.Unanswered(time(102_500), time(101_000))))
                .isEqualTo(LeaseDecision.of(again));
        assertThat(TickTimes.next(again, TERMS)).contains(time(102_750));
        assertThat(decide(again, new LeaseInput.Tick(time(102_750))).commands())
                .containsExactly(new LeaseCommand.Join(time(102_750)));
    }

    @Test
    void anAnswerToAnEarlierJoinDoesNotCount() {
        assertThat(decide(JOINING, new LeaseInput.Joined(time(101_200), time(100_000), 3)))
                .isEqualTo(LeaseDecision.of(JOINING));
    }

    @Test
    void aJoinAnsweredAfterItsLeaseIsAskedAgain() {
        LeaseState late = new Joining(Optional.empty(), Optional.of(time(101_000)), time(101_000));
        assertThat(decide(late, new LeaseInput.Joined(time(106_000), time(101_000), 4))
                        .commands())
                .containsExactly(new LeaseCommand.Join(time(106_000)));
    }

    @Test
    void aNodeWhoseNameIsTakenGivesUp() {
        assertThat(decide(JOINING, new LeaseInput.JoinRefused(time(101_010), "n1 runs on 10.0.0.9")))
                .isEqualTo(LeaseDecision.of(NodeLease.OUT, new LeaseCommand.GiveUp("n1 runs on 10.0.0.9")));
    }

    @Test
    void aLeaseIsRenewedWhenAQuarterOfItIsOver() {
        assertThat(TickTimes.next(LIVE, TERMS)).contains(time(102_000));
        assertThat(decide(LIVE, new LeaseInput.Tick(time(101_990))).commands()).isEmpty();
        assertThat(decide(LIVE, new LeaseInput.Tick(time(102_000))))
                .isEqualTo(LeaseDecision.of(ASKED, new LeaseCommand.Renew(time(102_000), 3)));
    }

    @Test
    void theNewDeadlineIsCountedFromTheMomentBeforeTheQuestion() {
        assertThat(decide(ASKED, new LeaseInput.Renewed(time(103_400), time(102_000), 3)))
                .isEqualTo(LeaseDecision.of(
                        held(107_000, 104_000), new LeaseCommand.WriteFile(new LeaseFile(3, time(107_000)))));
    }

    @Test
    void aRenewalWithoutAnAnswerIsSoonAskedAgain() {
        LeaseDecision unanswered = decide(DOUBTFUL, new LeaseInput.Unanswered(time(103_500), time(102_000)));
        assertThat(TickTimes.next(unanswered.state(), TERMS)).contains(time(103_750));
        assertThat(decide(unanswered.state(), new LeaseInput.Tick(time(103_750)))
                        .commands())
                .containsExactly(new LeaseCommand.Renew(time(103_750), 3));
    }

    @Test
    void aLateAnswerCountsFromItsOwnQuestionAndShortensNothing() {
        LeaseState later = new Live(new Lease(3, time(108_500), Optional.of(time(105_500)), time(105_500)));
        assertThat(decide(later, new LeaseInput.Renewed(time(105_600), time(102_000), 3)))
                .isEqualTo(LeaseDecision.of(later));
    }

    @Test
    void withLittleLeftNothingIsLaunchedButEventsAreWritten() {
        assertThat(TickTimes.next(ASKED, TERMS)).contains(time(103_000));
        assertThat(decide(ASKED, new LeaseInput.Tick(time(103_000)))).isEqualTo(LeaseDecision.of(DOUBTFUL));

        assertThat(LIVE.mayLaunch(time(102_990), TERMS)).contains(3L);
        // The runtime may have been paused: the state knows nothing of the time that went by.
        assertThat(LIVE.mayLaunch(time(103_000), TERMS)).isEmpty();
        assertThat(DOUBTFUL.mayLaunch(time(102_000), TERMS)).isEmpty();
        assertThat(DOUBTFUL.mayWrite(time(104_990))).isTrue();
        assertThat(LIVE.mayWrite(time(105_000))).isFalse();
        assertThat(DOUBTFUL.mayWrite(time(105_000))).isFalse();
    }

    @Test
    void aDoubtfulNodeIsLiveAgainWithAnAnswer() {
        assertThat(decide(DOUBTFUL, new LeaseInput.Renewed(time(103_400), time(102_000), 3))
                        .state())
                .isEqualTo(held(107_000, 104_000));
    }

    static Stream<Arguments> pastTheDeadline() {
        return inputs(time(105_000))
                .filter(input -> !(input instanceof LeaseInput.Started))
                .flatMap(input -> Stream.of(LIVE, ASKED, DOUBTFUL, JOINING).map(state -> Arguments.of(state, input)));
    }

    @ParameterizedTest
    @MethodSource
    void pastTheDeadline(LeaseState state, LeaseInput input) {
        assertThat(decide(state, input)).isEqualTo(ending(106_500));
    }

    @Test
    void aNodeThatWakesLongAfterItsDeadlineEndsAtOnce() {
        LeaseDecision woken = decide(LIVE, new LeaseInput.Renewed(time(130_000), time(129_990), 3));
        assertThat(woken).isEqualTo(ending(106_500));
    }

    @Test
    void aFencedNodeEndsItsProcessesWithoutAGrace() {
        assertThat(decide(ASKED, new LeaseInput.Fenced(time(102_010), 3))).isEqualTo(ending(102_010));
        assertThat(decide(ASKED, new LeaseInput.Fenced(time(102_010), 2)))
                .as("of an earlier incarnation")
                .isEqualTo(LeaseDecision.of(ASKED));
    }

    @Test
    void withoutAWardenNothingStaysAlive() {
        assertThat(decide(LIVE, new LeaseInput.WardenLost(time(101_000)))).isEqualTo(ending(102_500));
        assertThat(decide(JOINING, new LeaseInput.WardenLost(time(101_500)))).isEqualTo(ending(103_000));
    }

    @Test
    void whileProcessesEndTheNodeDoesNotJoin() {
        assertThat(TickTimes.next(FENCING, TERMS)).isEmpty();
        inputs(time(107_000))
                .filter(input -> !(input instanceof LeaseInput.TreesGone || input instanceof LeaseInput.Leave))
                .forEach(input ->
                        assertThat(decide(FENCING, input)).as("%s", input).isEqualTo(LeaseDecision.of(FENCING)));
    }

    @Test
    void aNodeThatLeavesReleasesItsIdleRuns() {
        assertThat(decide(DOUBTFUL, new LeaseInput.Leave(time(103_000))))
                .isEqualTo(LeaseDecision.of(NodeLease.OUT, new LeaseCommand.Release(3)));
        assertThat(decide(JOINING, new LeaseInput.Leave(time(103_000)))).isEqualTo(LeaseDecision.of(NodeLease.OUT));
        assertThat(decide(FENCING, new LeaseInput.Leave(time(106_000)))).isEqualTo(LeaseDecision.of(NodeLease.OUT));
    }

    /** Each input has a meaning in each state, and only a held lease may write. */
    @Test
    void everyInputIsDecidedInEveryState() {
        List<LeaseState> states = List.of(NodeLease.OUT, JOINING, LIVE, ASKED, DOUBTFUL, FENCING);
        Set<Class<?>> seen = new HashSet<>();
        for (LeaseState state : states) {
            inputs(time(102_500)).forEach(input -> {
                seen.add(input.getClass());
                LeaseState next = decide(state, input).state();
                assertThat(next.mayWrite(time(102_500))).isEqualTo(next instanceof Live || next instanceof Doubtful);
            });
            seen.add(state.getClass());
        }
        assertThat(seen).containsAll(Arrays.asList(LeaseInput.class.getPermittedSubclasses()));
        Set<Class<?>> kinds = new HashSet<>(Arrays.asList(LeaseState.class.getPermittedSubclasses()));
        assertThat(seen).containsAll(kinds);
    }

    private static Stream<LeaseInput> inputs(BootTime at) {
        return Stream.of(
                new LeaseInput.Started(at, Optional.empty()),
                new LeaseInput.Tick(at),
                new LeaseInput.Joined(at, time(101_000), 4),
                new LeaseInput.JoinRefused(at, "taken"),
                new LeaseInput.Renewed(at, time(102_000), 3),
                new LeaseInput.Fenced(at, 3),
                new LeaseInput.Unanswered(at, time(102_000)),
                new LeaseInput.TreesGone(at),
                new LeaseInput.WardenLost(at),
                new LeaseInput.Leave(at));
    }

    private static LeaseDecision ending(long killAt) {
        return LeaseDecision.of(
                new Fencing(time(killAt)), new LeaseCommand.DropRuns(), new LeaseCommand.EndTrees(time(killAt)));
    }
}
