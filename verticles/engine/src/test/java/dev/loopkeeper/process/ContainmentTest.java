package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What hides from session, nonce and descent, on machines that can hold it. */
class ContainmentTest extends SupervisorHarness {
    private static final String HIDES = "(env -i setsid sh -c 'trap \"\" TERM HUP; echo $$ >child;"
            + " while :; do sleep 1; done' >/dev/null 2>&1 &) ;";

    @Test
    void aControlGroupFindsWhatClearedItsEnvironmentAndLostItsParents() {
        assumeTrue(Cgroup.base().isPresent(), "cgroup v2 is not writable here");
        Supervising runtime = supervisor();
        StepSpec step =
                step().shell(HIDES + " while [ ! -s child ]; do :; done").build();
        runtime.launch(step);

        StepExited exit = runtime.exitOf(step);

        long hidden = Long.parseLong(written("child"));
        assertThat(exit.swept().outcome()).isEqualTo(Outcome.gone);
        assertThat(exit.swept().processes())
                .filteredOn(process -> process.pid() == hidden)
                .extracting(KilledProcess::foundBy, KilledProcess::signals)
                .containsExactly(tuple("cgroup", List.of("TERM", "KILL")));
        assertThat(alive(hidden)).isFalse();
        assertThat(Cgroup.base().orElseThrow().resolve("loopkeeper-" + step.nonce()))
                .doesNotExist();
    }

    @Test
    void aNamespaceEndsWithItsAgentAndReportsItsExitCode() throws IOException {
        assumeNamespaces();
        Supervising runtime = supervisor();
        StepSpec step = step().inNamespace()
                .shell(HIDES + " while [ ! -s child ]; do :; done; echo $$; readlink /proc/self/ns/pid; exit 6")
                .build();
        long pid = runtime.launch(step).pid().orElseThrow();

        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(exit.process().exitCode()).hasValue(6);
        assertThat(exit.process().pid()).hasValue(pid);
        assertThat(stdout(step).lines().toList().get(0)).isNotEqualTo(Long.toString(pid));
        assertThat(stdout(step))
                .doesNotContain(
                        Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString());
        assertThat(Files.readString(folderOf(step).stderr())).isEmpty();
    }

    @Test
    void aStepInANamespaceWritesItsSignal() {
        assumeNamespaces();
        Supervising runtime = supervisor();
        StepSpec step = step().inNamespace()
                .signal(".loopkeeper/dev.json")
                .shell("\"$LOOPKEEPER_SIGNAL\" --verdict approved")
                .build();

        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(workspace.resolve(".loopkeeper/dev.json"))
                .hasContent("{\"nonce\":\"" + step.nonce() + "\",\"verdict\":\"approved\"}\n");
    }

    @Test
    void aStoppedNamespaceLeavesNoProcess() throws IOException {
        assumeNamespaces();
        Supervising runtime = supervisor();
        StepSpec step = step().inNamespace()
                .shell("trap '' TERM; " + HIDES + " while :; do sleep 1; done")
                .build();
        long pid = runtime.launch(step).pid().orElseThrow();
        written("child");

        KillReceipt receipt = runtime.stop(step);

        assertThat(receipt.outcome()).isEqualTo(Outcome.gone);
        assertThat(receipt.processes()).extracting(KilledProcess::pid).contains(pid);
        // Whether the namespace's first process or the one that entered it was ended first is no process's promise.
        assertThat(runtime.exitOf(step).process().exitCode().orElseThrow()).isNotZero();
    }

    @Test
    void aProgramMissingInANamespaceIsALaunchThatFailed() {
        assumeNamespaces();
        Supervising runtime = supervisor();
        StepSpec step = step().inNamespace().words("no-such-agent-here").build();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
    }

    private static void assumeNamespaces() {
        try {
            assumeTrue(!NamespaceEntry.find().words().isEmpty());
        } catch (IOException | LaunchException none) {
            assumeTrue(false, none.getMessage());
        }
    }
}
