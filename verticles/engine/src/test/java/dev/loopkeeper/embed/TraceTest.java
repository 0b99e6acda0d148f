package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.step.TraceContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {
    private static final String CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String RESUMER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
    private static final String MANIFEST = """
            name: traced
            agents:
              dev: {command: [./dev.sh], signal: .loopkeeper/dev.json, env: {TRACESTATE: of=another}}
            phases: [{name: one, task: dev}]
            """;

    @TempDir
    Path folder;

    private Path workspace() {
        return folder.resolve("w");
    }

    private List<String> traces() throws Exception {
        return Files.readAllLines(workspace().resolve("traces"));
    }

    private static String traceOf(String traceparent) {
        assertThat(traceparent).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
        return traceparent.substring(3, 35);
    }

    @Test
    void anExecutionIsOneTraceThatIsTheSameAfterARestart() throws Exception {
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace())) {
            keeper.script(
                    "dev.sh",
                    "echo $TRACEPARENT$TRACESTATE >> traces; test ! -e done || $LOOPKEEPER_SIGNAL --status completed");
            keeper.until(keeper.startAs("one-1", MANIFEST), "paused");
        }
        Files.createFile(workspace().resolve("done"));
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace())) {
            keeper.resume("one-1", ResumeRequest.PLAIN);
            keeper.until("one-1", "completed");
        }

        List<String> traces = traces();
        assertThat(traces).hasSize(2).doesNotHaveDuplicates();
        assertThat(traceOf(traces.get(1))).isEqualTo(traceOf(traces.get(0)));
    }

    @Test
    void theCallersOfSubmitAndResumeAreTheParents() throws Exception {
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace())) {
            keeper.script(
                    "dev.sh",
                    "echo $TRACEPARENT $TRACESTATE >> traces; test -e done && $LOOPKEEPER_SIGNAL --status completed");
            Submitted run = Keeper.await(keeper.loopkeeper()
                    .submit(MANIFEST, RunOptions.DEFAULTS.workspace(workspace()).trace(CALLER)));
            keeper.until(run.run().runId(), "paused");
            keeper.stop(run.run().runId(), true);
            Keeper.await(keeper.loopkeeper().awaitEnd(run.run().runId()));
            Files.createFile(workspace().resolve("done"));
            ResumeRequest traced = ResumeRequest.PLAIN.with(
                    copy -> copy.trace(TraceContext.read(Optional.of(RESUMER), Optional.of("vendor=1"))));
            keeper.resume(run.run().runId(), traced);
            Keeper.await(keeper.loopkeeper().awaitEnd(run.run().runId()));
        }

        List<String> traces = traces();
        assertThat(traceOf(traces.get(0).strip())).isEqualTo(traceOf(CALLER));
        assertThat(traces.subList(1, traces.size()))
                .allSatisfy(line ->
                        assertThat(line).startsWith(RESUMER.substring(0, 36)).endsWith("-00 vendor=1"));
    }
}
