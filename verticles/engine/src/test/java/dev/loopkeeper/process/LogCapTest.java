package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.LogLimit;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class LogCapTest extends SupervisorHarness {
    private static final LogLimit LIMIT = new LogLimit(64 * 1024);
    private static final String PRINT =
            "echo begin; i=0; while [ $i -lt 40 ]; do i=$((i+1)); printf '%9000s\\n' $i; done;";

    @Test
    void anAgentThatPrintsTooMuchIsCutWhileItRunsAndNeverHeld() throws IOException {
        StepSpec step = step().shell(PRINT + "echo ready >done; read line <more; " + PRINT + "echo end")
                .build();
        makeFifo("more");
        Supervising supervisor = supervisor(LIMIT);
        supervisor.launch(step);
        assertThat(written("done")).isEqualTo("ready");
        LogFile log = new LogFile(folderOf(step).path(), "stdout");
        await().atMost(SOON).until(() -> log.dropped().count() > 0);
        long firstCut = log.dropped().to();
        release("more");
        assertThat(supervisor.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(log.dropped().to()).isGreaterThan(firstCut);
        assertThat(kept(log)).startsWith("begin\n").contains("[loopkeeper: ").endsWith("end\n");
        assertThat(kept(log).length()).isLessThan(64 * 1024 + 100);
    }

    @Test
    void whatGrewWhileNoRuntimeLivedIsCutByTheNextOne() throws IOException {
        StepSpec step = step().shell("read line <more; " + PRINT + "echo end; read line <enough")
                .build();
        // One for each wait: a writer that is slow to close the first would end the second with nothing read.
        makeFifo("more");
        makeFifo("enough");
        Supervising first = supervisor(LIMIT);
        first.launch(step);
        first.shutDown();
        supervisors.clear();
        release("more");
        LogFile log = new LogFile(folderOf(step).path(), "stdout");
        await().atMost(SOON)
                .until(() -> Files.readString(folderOf(step).stdout()).endsWith("end\n"));
        assertThat(log.dropped().count()).isZero();
        Supervising second = supervisor(LIMIT);
        assertThat(second.recover(step).adopted()).isTrue();
        await().atMost(SOON).until(() -> log.dropped().count() > 0);
        release("enough");
        assertThat(second.exitOf(step).process().exitCode()).hasValue(0);
    }

    private void makeFifo(String name) {
        shell("mkfifo " + name);
    }

    private void release(String name) {
        shell("echo >" + name);
    }

    private void shell(String line) {
        try {
            Process process = new ProcessBuilder("sh", "-c", line)
                    .directory(workspace.toFile())
                    .start();
            assertThat(process.waitFor()).isZero();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    private static String kept(LogFile log) {
        StringBuilder text = new StringBuilder();
        try {
            for (LogFile.Part part = log.read(0, 4096); part.bytes().length() > 0; part = log.read(part.next(), 4096)) {
                text.append(part.bytes());
            }
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
        return text.toString();
    }
}
