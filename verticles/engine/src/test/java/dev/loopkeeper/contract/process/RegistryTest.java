package dev.loopkeeper.contract.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.OrphanProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.ProcessChannels.ReapOrphans;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ProcessChannels.StopAll;
import dev.loopkeeper.contract.ProcessChannels.StoppedAll;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegistryTest extends SupervisorHarness {
    private static final ListProcesses ALL = new ListProcesses(Optional.empty());

    @Test
    void listsLivingAgentsAndForgetsEndedOnes() {
        Supervising runtime = supervisor();
        StepSpec living = step().id("a").role("dev").words("sleep", "60").build();
        StepSpec over = step().id("b").role("judge").words("true").build();
        long pid = runtime.launch(living).pid().orElseThrow();
        runtime.launch(over);
        runtime.exitOf(over);

        ProcessList list = runtime.ask(ProcessChannels.LIST, ALL);

        assertThat(list.processes()).singleElement().satisfies(process -> {
            assertThat(process.runId()).isEqualTo("run-1");
            assertThat(process.stepId()).isEqualTo("a");
            assertThat(process.role()).isEqualTo("dev");
            assertThat(process.pid()).isEqualTo(pid);
            assertThat(process.processGroup()).isEqualTo(pid);
            assertThat(process.command()).isEqualTo("sleep 60");
            assertThat(process.state()).isEqualTo("running");
        });
        assertThat(runtime.ask(ProcessChannels.LIST, new ListProcesses(Optional.of("run-2")))
                        .processes())
                .isEmpty();
        runtime.stop(living);
    }

    @Test
    void killsOneRoleAndLeavesTheOthers() {
        Supervising runtime = supervisor();
        StepSpec dev = step().id("a").role("dev").words("sleep", "60").build();
        StepSpec judge = step().id("b").role("judge").words("sleep", "60").build();
        long pid = runtime.launch(dev).pid().orElseThrow();
        runtime.launch(judge);

        KillReceipt receipt = runtime.ask(ProcessChannels.KILL, new KillRole("run-1", "dev", false));

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(receipt.stepId()).hasValue("a");
        assertThat(receipt.processes()).extracting(KilledProcess::pid).containsExactly(pid);
        assertThat(runtime.exitOf(dev).process().cause()).isEqualTo(ExitCause.KILLED);
        assertThat(runtime.ask(ProcessChannels.LIST, ALL).processes())
                .extracting(LiveProcess::role)
                .containsExactly("judge");
        runtime.stop(judge);
    }

    @Test
    void killsTheOneStepThatIsNamedOfSeveralOfItsRole() {
        Supervising runtime = supervisor();
        StepSpec first = step().id("f.a.dev.1").role("dev").words("sleep", "60").build();
        StepSpec second =
                step().id("f.b.dev.1").role("dev").words("sleep", "60").build();
        runtime.launch(first);
        long other = runtime.launch(second).pid().orElseThrow();

        KillReceipt receipt = runtime.ask(ProcessChannels.KILL, new KillRole("run-1", "f.a.dev.1", false));

        assertThat(receipt.stepId()).hasValue("f.a.dev.1");
        assertThat(runtime.exitOf(first).process().cause()).isEqualTo(ExitCause.KILLED);
        assertThat(runtime.ask(ProcessChannels.LIST, ALL).processes())
                .extracting(LiveProcess::pid)
                .containsExactly(other);
        runtime.stop(second);
    }

    /** It was listed as stopping until its launcher, which is halted here, had recorded the exit. */
    @Test
    void anAgentThatIsKilledIsNotListedOnceTheReceiptIsThere() throws Exception {
        Supervising runtime = supervisor();
        StepSpec dev = step().role("dev").words("sleep", "60").build();
        long pid = runtime.launch(dev).pid().orElseThrow();
        long launcher = ProcessHandle.of(pid)
                .flatMap(ProcessHandle::parent)
                .orElseThrow()
                .pid();
        signal("STOP", launcher);
        try {
            KillReceipt receipt = runtime.ask(ProcessChannels.KILL, new KillRole("run-1", "dev", true));

            assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
            assertThat(runtime.ask(ProcessChannels.LIST, ALL).processes()).isEmpty();
        } finally {
            signal("CONT", launcher);
        }
        assertThat(runtime.exitOf(dev).process().cause()).isEqualTo(ExitCause.KILLED);
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-s", name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** The refusal named no live role although the agent was about to live, or was being adopted. */
    @Test
    void aKillWaitsForTheProcessOfAStepThatIsBeingLaunched() {
        Supervising runtime = supervisor();
        StepSpec dev = step().role("dev").words("sleep", "60").build();
        Future<StepLaunched> launching = runtime.asking(ProcessChannels.LAUNCH, new LaunchStep(dev, false));

        KillReceipt receipt = runtime.ask(ProcessChannels.KILL, new KillRole("run-1", "dev", true));

        assertThat(receipt.stepId()).hasValue(dev.stepId());
        assertThat(launching.isComplete()).isTrue();
        assertThat(runtime.exitOf(dev).process().cause()).isEqualTo(ExitCause.KILLED);
    }

    @Test
    void anUnknownRoleIsRefusedWithTheLiveOnes() {
        Supervising runtime = supervisor();
        StepSpec dev = step().role("dev").words("sleep", "60").build();
        runtime.launch(dev);

        assertThatThrownBy(() -> runtime.ask(ProcessChannels.KILL, new KillRole("run-1", "reviewer", false)))
                .hasMessageContaining("no live process of role \"reviewer\"")
                .hasMessageContaining("dev");
        runtime.stop(dev);
    }

    @Test
    void reapsWhatNoOpenStepOwnsAndNothingElse() throws Exception {
        Supervising runtime = supervisor();
        StepSpec open = step().words("sleep", "60").build();
        long kept = runtime.launch(open).pid().orElseThrow();
        Process orphan = carrier(data, "run-0", "old.1");
        Process adoptable = carrier(data, "run-0", "open.1");
        Process unknown = carrier(data, "run-unknown", "unknown.1");
        Process foreign = carrier(folder.resolve("elsewhere"), "run-0", "old.1");
        try {
            ReapOrphans dry = new ReapOrphans(true, Set.of("run-0/open.1"), Set.of("run-unknown"), Optional.empty());
            Reaped listed = runtime.ask(ProcessChannels.REAP, dry);
            assertThat(listed.strays()).extracting(OrphanProcess::pid).containsExactly(orphan.pid());
            assertThat(listed.receipts()).isEmpty();
            assertThat(orphan.isAlive()).isTrue();

            Reaped reaped = runtime.ask(
                    ProcessChannels.REAP, new ReapOrphans(false, dry.openSteps(), dry.exemptRuns(), Optional.empty()));

            assertThat(reaped.receipts()).singleElement().satisfies(receipt -> {
                assertThat(receipt.runId()).isEqualTo("run-0");
                assertThat(receipt.stepId()).hasValue("old.1");
                assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
            });
            assertThat(orphan.waitFor()).isEqualTo(143);
            assertThat(adoptable.isAlive()).isTrue();
            assertThat(unknown.isAlive()).isTrue();
            assertThat(foreign.isAlive()).isTrue();
            assertThat(alive(kept)).isTrue();
        } finally {
            orphan.destroyForcibly().waitFor();
            adoptable.destroyForcibly().waitFor();
            unknown.destroyForcibly().waitFor();
            foreign.destroyForcibly().waitFor();
        }
        runtime.stop(open);
    }

    @Test
    void aZombieIsNoOrphan() throws Exception {
        Supervising runtime = supervisor();
        ReapOrphans dry = new ReapOrphans(true, Set.of(), Set.of(), Optional.empty());
        Process negligent = negligentParentOf("LOOPKEEPER_NONCE=nonce-of-old.1 LOOPKEEPER_DATA=\"" + data
                + "\" LOOPKEEPER_RUN_ID=run-0 LOOPKEEPER_STEP_ID=old.1 sleep 60");
        try {
            Reaped[] listed = new Reaped[1];
            await().atMost(SOON).until(() -> {
                listed[0] = runtime.ask(ProcessChannels.REAP, dry);
                return listed[0].strays().size() == 1;
            });
            long pid = listed[0].strays().get(0).pid();
            assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
            await().atMost(SOON)
                    .until(() ->
                            Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z "));

            assertThat(runtime.ask(ProcessChannels.REAP, dry).strays()).isEmpty();
            assertThat(runtime.ask(ProcessChannels.REAP, new ReapOrphans(false, Set.of(), Set.of(), Optional.empty()))
                            .receipts())
                    .isEmpty();
        } finally {
            negligent.destroyForcibly().waitFor();
        }
    }

    @Test
    void aShutdownExemptsOnlyProcessesThatMayOutliveIt() {
        Supervising runtime = supervisor();
        StepSpec keeps = step().id("a").words("sleep", "60").build();
        StepSpec dies =
                step().id("b").dyingWithTheRuntime().words("sleep", "60").build();
        long kept = runtime.launch(keeps).pid().orElseThrow();
        long ended = runtime.launch(dies).pid().orElseThrow();

        StoppedAll answer = runtime.ask(ProcessChannels.STOP_ALL, new StopAll(true, false));

        assertThat(answer.exempt()).extracting(LiveProcess::pid).containsExactly(kept);
        assertThat(answer.receipts())
                .singleElement()
                .satisfies(receipt -> assertThat(receipt.processes())
                        .extracting(KilledProcess::pid)
                        .containsExactly(ended));
        assertThat(runtime.exits).extracting(StepExited::stepId).containsExactly("b");
        assertThat(alive(kept)).isTrue();
        runtime.recover(keeps);
        runtime.stop(keeps);
    }

    @Test
    void stoppingAllCanExemptNoProcess() {
        Supervising runtime = supervisor();
        StepSpec step = step().words("sleep", "60").build();
        runtime.launch(step);

        StoppedAll answer = runtime.ask(ProcessChannels.STOP_ALL, new StopAll(false, true));

        assertThat(answer.exempt()).isEmpty();
        assertThat(answer.receipts()).hasSize(1);
        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(137);
    }

    /** Starts what it is asked to, and never waits for it. */
    private static Process negligentParentOf(String command) throws Exception {
        return new ProcessBuilder("sh", "-c", command + " & exec sleep 60").start();
    }

    private Process carrier(Path dataFolder, String runId, String stepId) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "60");
        builder.environment()
                .putAll(Map.of(
                        "LOOPKEEPER_NONCE",
                        "nonce-of-" + stepId + dataFolder.getFileName(),
                        "LOOPKEEPER_DATA",
                        dataFolder.toString(),
                        "LOOPKEEPER_RUN_ID",
                        runId,
                        "LOOPKEEPER_STEP_ID",
                        stepId));
        Process process = builder.start();
        // Its environment is that of this JVM until it is executed.
        await().atMost(SOON)
                .until(() -> Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                        .startsWith("sleep"));
        return process;
    }
}
