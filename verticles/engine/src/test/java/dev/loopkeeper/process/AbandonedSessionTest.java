package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.contract.ProcessChannels.SweepStep;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcFs;
import dev.loopkeeper.process.tree.Signals;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an agent left in its session is found by the next runtime also where it carries no mark, the agent is dead and no
 * control group holds it: in whichever order the runtime, the launcher and the agent ended.
 */
@Isolated("reads the log of the process, or changes what it has once")
class AbandonedSessionTest extends SupervisorHarness {
    private static final String DEAF =
            "trap \"\" TERM HUP; echo $$ >child.new; mv child.new child; " + "while :; do sleep 0.05; done";
    private static final String DEAF_CHILD = "env -i sh -c '" + DEAF + "'";
    private static final String WAIT = "while [ ! -e leave ]; do sleep 0.1; done";

    private final UnreadableFiles files = new UnreadableFiles();
    private final List<Supervision> runtimes = new ArrayList<>();

    /** One on a machine without control groups, that ends as by KILL: it ends nothing, and notes nothing more. */
    private final class Supervision {
        private final Vertx vertx = Vertx.vertx();
        private final Context context = vertx.getOrCreateContext();
        private final WorkerExecutor workers = vertx.createSharedWorkerExecutor("supervisor");
        private final List<StepExited> exits = new CopyOnWriteArrayList<>();
        private final ProcessSupervisor supervisor;

        Supervision() {
            this(SupervisorContext::withoutCgroups);
        }

        Supervision(UnaryOperator<SupervisorContext> machine) {
            runtimes.add(this);
            SupervisorContext around = machine.apply(SupervisorContext.of(vertx, context, workers, options(), files));
            supervisor = new ProcessSupervisor(around, text -> text, exits::add);
        }

        private SupervisorOptions options() {
            SupervisorOptions usual = SupervisorOptions.of(data);
            return new SupervisorOptions(
                    usual.data(),
                    SOON,
                    Duration.ofMillis(500),
                    usual.maxPoll(),
                    usual.workers(),
                    usual.logLimit(),
                    usual.inherited());
        }

        private <T> Future<T> asking(Supplier<Future<T>> question) {
            Promise<T> answer = Promise.promise();
            context.runOnContext(turn -> question.get().onComplete(answer));
            return answer.future();
        }

        void launch(StepSpec step) {
            assertThat(done(asking(() -> supervisor.launch(new LaunchStep(step, false))))
                            .pid())
                    .isPresent();
        }

        void recover(StepSpec step) {
            done(asking(() -> supervisor.launch(new LaunchStep(step, true))));
        }

        Future<KillReceipt> stopping(StepSpec step, boolean now) {
            return asking(() -> supervisor.stop(new StopStep(step.runId(), step.stepId(), now, ExitCause.STOPPED)));
        }

        KillReceipt sweptAfter(StepSpec step) {
            await().atMost(SOON).until(() -> !exits.isEmpty());
            assertThat(exits.get(0).stepId()).isEqualTo(step.stepId());
            return exits.get(0).swept();
        }

        void kill() {
            done(vertx.close());
        }
    }

    @AfterEach
    void endRuntimes() {
        runtimes.forEach(Supervision::kill);
    }

    private void begin(StepSpec step) {
        new Supervision().launch(step);
    }

    private Supervision lastRuntime() {
        return runtimes.get(runtimes.size() - 1);
    }

    private long child() {
        return Long.parseLong(written("child"));
    }

    private void letAgentExit() throws IOException {
        Files.createFile(workspace.resolve("leave"));
    }

    private void awaitRecord(StepSpec step) {
        await().pollInterval(Duration.ofMillis(5))
                .atMost(SOON)
                .until(() -> folderOf(step).exit().isPresent());
    }

    private Identity agentOf(StepSpec step) throws IOException {
        return folderOf(step).agent().orElseThrow();
    }

    private static void assertEnded(KillReceipt receipt, long pid) {
        assertThat(receipt.outcome()).isEqualTo(KillReceipt.Outcome.gone);
        assertThat(receipt.processes()).extracting(KilledProcess::pid).contains(pid);
        assertThat(alive(pid)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "script"})
    void sweepsAnUnmarkedChildOfAnAgentThatEndedWithoutARuntime(String launcher) throws IOException {
        StepSpec step = step().shell(DEAF_CHILD + " >/dev/null 2>&1 & " + WAIT).build();
        System.setProperty("loopkeeper.launcher", launcher);
        try {
            begin(step);
        } finally {
            System.clearProperty("loopkeeper.launcher");
        }
        long child = child();
        lastRuntime().kill();
        letAgentExit();
        awaitRecord(step);

        Supervision next = new Supervision();
        next.recover(step);

        assertEnded(next.sweptAfter(step), child);
    }

    /** The order in which a stop was once survived: the polite signal was sent, and then the runtime was killed. */
    @Test
    void aStopThatARuntimeWasKilledInIsFinishedByTheNextOne() {
        StepSpec step = step().shell(DEAF_CHILD + " >/dev/null 2>&1 & sleep 100")
                .stopping("TERM", SOON)
                .build();
        begin(step);
        long child = child();
        var unanswered = lastRuntime().stopping(step, false);
        awaitRecord(step);
        lastRuntime().kill();
        assertThat(unanswered.succeeded()).isFalse();

        assertEnded(done(new Supervision().stopping(step, true)), child);
    }

    @Test
    void remembersAnUnmarkedSessionAcrossACrashOfTheRuntime() {
        StepSpec step = step().shell("env -i setsid sh -c '" + DEAF + "' >/dev/null 2>&1 & sleep 100")
                .stopping("TERM", SOON)
                .build();
        begin(step);
        long child = child();
        var unanswered = lastRuntime().stopping(step, false);
        awaitRecord(step);
        lastRuntime().kill();
        assertThat(unanswered.succeeded()).isFalse();

        assertEnded(done(new Supervision().stopping(step, true)), child);
    }

    @Test
    void sweepsProcessesBornBeforeAndAfterTheAgentsEnd() throws IOException {
        StepSpec step = step().shell(
                        "env -i sh -c 'while [ ! -e go ]; do sleep 0.1; done; sh -c \"echo \\$\\$ >late.new;"
                                + " mv late.new late; while :; do sleep 0.05; done\" & " + DEAF + "' >/dev/null 2>&1 & "
                                + WAIT)
                .build();
        begin(step);
        lastRuntime().kill();
        letAgentExit();
        awaitRecord(step);
        Files.createFile(workspace.resolve("go"));
        long late = Long.parseLong(written("late"));
        long child = child();

        Supervision next = new Supervision();
        next.recover(step);

        assertEnded(next.sweptAfter(step), child);
        assertThat(alive(late)).isFalse();
    }

    /** Its launcher hangs, so the agent is a zombie. */
    @Test
    void aChildWithoutAMarkIsSweptWhereTheLauncherDidNotRecordTheEnd() throws Exception {
        StepSpec step = step().shell(DEAF_CHILD + " >/dev/null 2>&1 & " + WAIT).build();
        begin(step);
        long child = child();
        Identity launcher = folderOf(step).claimant().orElseThrow();
        lastRuntime().kill();
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(launcher.pid()))
                        .start()
                        .waitFor())
                .isZero();
        letAgentExit();
        Identity agent = agentOf(step);
        await().atMost(SOON).until(() -> !new ProcFs().living(agent));

        Supervision next = new Supervision();
        next.recover(step);

        assertEnded(next.sweptAfter(step), child);
    }

    @Test
    void sweepsAProcessThatWritesTheLogOfAStepWithoutAnExit() throws IOException {
        StepSpec step = step().shell(DEAF_CHILD + " & " + WAIT).build();
        begin(step);
        long child = child();
        Identity agent = agentOf(step);
        lastRuntime().kill();
        assertThat(new Signals(new ProcFs()).send(folderOf(step).claimant().orElseThrow(), "KILL"))
                .isTrue();
        letAgentExit();
        await().atMost(SOON).until(() -> !new ProcFs().living(agent));

        Supervision next = new Supervision();
        next.recover(step);

        assertEnded(next.sweptAfter(step), child);
    }

    /** The stop ends the agent by its mark; its remaining processes are searched for once its notes identify it. */
    @Test
    void sweepsAnUnmarkedChildWhenTheAgentIsUnreadable() {
        StepSpec step = step().shell("(" + DEAF_CHILD + " >/dev/null 2>&1 &); sleep 100")
                .build();
        begin(step);
        long child = child();
        lastRuntime().kill();
        Supervision next = new Supervision();
        files.failReading(file -> file.startsWith(folderOf(step).path().toString()) && !file.endsWith("/request.json"));
        var stop = next.stopping(step, true);
        await().atMost(SOON).until(() -> files.failures() > 0);
        await().atMost(SOON).until(stop::isComplete);
        files.heal();

        assertThat(next.sweptAfter(step).outcome()).isEqualTo(KillReceipt.Outcome.gone);

        assertThat(alive(child)).isFalse();
    }

    /** As where it was started in one login and is started again in another. */
    @Test
    void sweepsTheControlGroupOfTheOriginalLaunch() throws IOException {
        assumeTrue(Cgroup.base().isPresent(), "cgroup v2 is not writable here");
        StepSpec step = step().shell("(env -i setsid sh -c '" + DEAF + "' >/dev/null 2>&1 &); " + WAIT)
                .build();
        new Supervision(machine -> machine).launch(step);
        long child = child();
        lastRuntime().kill();
        letAgentExit();
        awaitRecord(step);

        Supervision next = new Supervision();
        next.recover(step);

        assertEnded(next.sweptAfter(step), child);
        assertThat(folderOf(step).enclosure().orElseThrow().remove()).isTrue();
    }

    @Test
    void aLaterSweepKnowsTheSessionOfAStepThatIsOver() throws IOException {
        StepSpec step = step().shell(DEAF_CHILD + " >/dev/null 2>&1 & " + WAIT).build();
        begin(step);
        long child = child();
        lastRuntime().kill();
        letAgentExit();
        awaitRecord(step);

        Supervision next = new Supervision();
        KillReceipt receipt =
                done(next.asking(() -> next.supervisor.sweep(new SweepStep(step.runId(), step.stepId(), true))));

        assertEnded(receipt, child);
    }
}
