package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the program asks of the operating system, as {@code strace} sees it, holds the order that the write-ahead rule
 * demands: what happens is durable before its effect. Where there is no {@code strace}, or it may not trace, nothing is
 * shown.
 */
class SyncTraceIT {
    private static final int ITERATIONS = 3;
    private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)");
    private static final Pattern RESUMED = Pattern.compile("(\\d+) +<\\.\\.\\. (\\w+) resumed>.*= 0");
    private static final Pattern EXIT = Pattern.compile("(\\d+) +\\+\\+\\+ exited with \\d+ \\+\\+\\+");

    /** One thing that was seen, in the order of time: a sync counts when it has returned, all else when it began. */
    private record TracedCall(String what, String pid, int begunAt, int at) {}

    @TempDir
    private Path folder;

    private Path trace;
    private Path agent;
    private Path sleeper;

    @BeforeEach
    void requireTracer() throws IOException, InterruptedException {
        trace = folder.resolve("trace.txt");
        agent = program("agent", "exit 0");
        sleeper = program("sleeper", ": > sleeping; exec sleep 600");
        assumeThat(canTrace()).as("strace can trace here").isTrue();
    }

    private Path program(String name, String script) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private boolean canTrace() throws InterruptedException {
        try {
            List<String> words = new ArrayList<>(tracer(folder.resolve("probe.txt")));
            words.add("true");
            Process probe = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("probe-said.txt").toFile())
                    .start();
            return probe.waitFor(1, TimeUnit.MINUTES) && probe.exitValue() == 0;
        } catch (IOException none) {
            return false;
        }
    }

    /** Stops the program only at the calls that are checked. */
    private static List<String> tracer(Path trace) {
        String calls = "trace=fsync,fdatasync,execve,kill,pidfd_send_signal";
        return List.of("strace", "-D", "-f", "-y", "-s", "300", "--seccomp-bpf", "-e", calls, "-o", trace.toString());
    }

    @Test
    void whatLeadsToAnEffectIsDurableBeforeIt() throws Exception {
        try (Program server =
                Program.start(tracer(trace), folder, Map.of(), "serve", "--port", "0", "--data", data().toString())) {
            Api api = Api.of(server);
            String loop = api.submit("""
                    name: loop
                    agents: {dev: {command: ["%s"]}, judge: {command: ["%s"]}}
                    phases: [{name: build, loop: {maxIterations: %d, until: iterations, steps: [dev, judge]}}]
                    """.formatted(agent, agent, ITERATIONS), folder);
            assertThat(api.until(loop, "completed").path("runId").asText()).isEqualTo(loop);
            String one = api.submit("""
                    name: one
                    agents: {one: {command: ["%s"], stop: {grace: 1m}}}
                    phases: [{name: work, task: one}]
                    """.formatted(sleeper), folder);
            Awaitility.await().until(() -> Files.exists(folder.resolve("sleeping")));
            Program.Result stop = Program.run(folder, "stop", one, "--data", data().toString());
            assertThat(stop.exitCode()).as(stop.toString()).isZero();
            server.terminate();
            assertThat(server.join().exitCode()).isEqualTo(143);
            Awaitility.await().until(() -> isOver(server.pid()));
        }
        List<TracedCall> seen = read();
        everyLaunchFollowsACommit(seen);
        theFirstLaunchFollowsTheNoteOfItsBoot(seen);
        theStopFollowsItsCommit(seen);
        Processes.awaitNoneWith("LOOPKEEPER_DATA=" + data());
    }

    private Path data() {
        return folder.resolve("data");
    }

    private boolean isOver(long pid) throws IOException {
        return Files.readAllLines(trace).stream()
                .anyMatch(line -> line.matches(pid + " +\\+\\+\\+ (exited|killed) .*"));
    }

    /** Begun when whatever it rests on was over: the end of the agent before it. */
    private void everyLaunchFollowsACommit(List<TracedCall> seen) {
        List<TracedCall> launches = seen.stream().filter(launchOf(agent)).toList();
        assertThat(launches).hasSize(2 * ITERATIONS);
        int before = 0;
        for (TracedCall launch : launches) {
            assertThat(between(before, launch.at(), seen)).anyMatch(SyncTraceIT::isCommit);
            before = seen.stream()
                    .filter(end -> end.what().equals("exit") && end.pid().equals(launch.pid()))
                    .findFirst()
                    .orElseThrow()
                    .at();
        }
    }

    private void theFirstLaunchFollowsTheNoteOfItsBoot(List<TracedCall> seen) {
        TracedCall first = seen.stream().filter(launchOf(agent)).findFirst().orElseThrow();
        List<TracedCall> before = between(0, first.at(), seen);
        assertThat(before).anyMatch(sync -> sync.what().matches("f(data)?sync.*/boot\\.json>.*"));
        String runs = Pattern.quote(data().resolve("runs").toString());
        assertThat(before).anyMatch(sync -> sync.what().matches("f(data)?sync\\(\\d+<" + runs + "/[^/]+>.*"));
    }

    /** The wish is durable before the first signal. */
    private void theStopFollowsItsCommit(List<TracedCall> seen) {
        TracedCall launch = seen.stream().filter(launchOf(sleeper)).findFirst().orElseThrow();
        TracedCall signal = seen.stream()
                .filter(sent ->
                        sent.at() > launch.at() && sent.what().matches("(kill|pidfd_send_signal)\\(.*SIGTERM.*"))
                .findFirst()
                .orElseThrow();
        assertThat(between(launch.at(), signal.at(), seen)).anyMatch(SyncTraceIT::isCommit);
    }

    private static Predicate<TracedCall> launchOf(Path program) {
        return seen -> seen.what().startsWith("execve(\"" + program + "\"");
    }

    private static boolean isCommit(TracedCall seen) {
        return seen.what().matches("f(data)?sync.*/events\\.db-wal>.*");
    }

    private static List<TracedCall> between(int after, int before, List<TracedCall> all) {
        return all.stream()
                .filter(seen -> seen.begunAt() > after && seen.at() < before)
                .toList();
    }

    private List<TracedCall> read() throws IOException {
        List<TracedCall> all = new ArrayList<>();
        Map<String, TracedCall> underWay = new HashMap<>();
        List<String> lines = Files.readAllLines(trace);
        for (int at = 1; at <= lines.size(); at++) {
            String line = lines.get(at - 1);
            Matcher call = CALL.matcher(line);
            Matcher resumed = RESUMED.matcher(line);
            Matcher exit = EXIT.matcher(line);
            if (call.matches()) {
                TracedCall begun = new TracedCall(call.group(2) + "(" + call.group(3), call.group(1), at, at);
                if (!call.group(2).endsWith("sync") || line.endsWith("= 0")) {
                    all.add(begun);
                } else {
                    underWay.put(call.group(1), begun);
                }
            } else if (resumed.matches() && underWay.containsKey(resumed.group(1))) {
                TracedCall begun = underWay.remove(resumed.group(1));
                all.add(new TracedCall(begun.what(), begun.pid(), begun.begunAt(), at));
            } else if (exit.matches()) {
                all.add(new TracedCall("exit", exit.group(1), at, at));
            }
        }
        return all;
    }
}
