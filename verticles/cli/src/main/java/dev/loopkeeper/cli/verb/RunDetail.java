package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.RunsBoard;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.LogSelection;
import dev.loopkeeper.cli.session.LogSink;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.RunReport;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.view.Run;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks up what the pane of a full screen shows of one run. Its methods block. */
final class RunDetail {
    private static final LogSelection NEWEST = new LogSelection(false, false, OptionalLong.of(100));

    private final RootCommand root;
    private final RunFacts facts;

    RunDetail(RootCommand root, RunFacts facts) {
        this.root = root;
        this.facts = facts;
    }

    /** What cannot be looked up is told instead. */
    RunsBoard.Detail of(String runId) {
        try {
            Run run = facts.run(runId).view();
            List<String> report = RunReport.why(root, run, facts.advice(run)).stream()
                    .map(OneLine::readable)
                    .toList();
            Optional<String> step = facts.newestStep(runId);
            List<String> log = step.map(stepId -> log(runId, stepId)).orElse(List.of());
            return new RunsBoard.Detail(runId, step.orElse("no step yet"), report, log);
        } catch (CommandFailure failed) {
            return new RunsBoard.Detail(runId, "", List.of(failed.getMessage()), List.of());
        }
    }

    private List<String> log(String runId, String stepId) {
        List<String> lines = new ArrayList<>(log(runId, stepId, "stdout"));
        log(runId, stepId, "stderr").forEach(line -> lines.add("[stderr] " + line));
        return lines;
    }

    private List<String> log(String runId, String stepId, String stream) {
        End end = new End();
        LogSink sink = new LogSink(new PrintStream(end, false, StandardCharsets.UTF_8), false, "");
        facts.log(runId, stepId, stream, NEWEST, sink);
        sink.end();
        return end.text().lines().map(OneLine::readable).toList();
    }

    /** Keeps the end of what is written, as much as a screen could ever show. */
    private static final class End extends OutputStream {
        private static final int MOST = 1 << 17;

        private ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public void write(int letter) {
            write(new byte[] {(byte) letter}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            kept.write(bytes, from, count);
            if (kept.size() > 2 * MOST) {
                byte[] all = kept.toByteArray();
                kept = new ByteArrayOutputStream();
                kept.write(all, all.length - MOST, MOST);
            }
        }

        String text() {
            return kept.toString(StandardCharsets.UTF_8);
        }
    }
}
