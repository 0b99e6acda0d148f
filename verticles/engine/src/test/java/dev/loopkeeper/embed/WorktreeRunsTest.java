package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.PruneRuns;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import dev.loopkeeper.termination.ResumeAction;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that work in git worktrees of their own. */
@Execution(ExecutionMode.CONCURRENT)
class WorktreeRunsTest {
    private static final String ISOLATED = "isolation: {git: worktree}\n";
    private static final String LINES = """
            retry: {stopConditions: {maxRetryRate: 0, maxRejectRate: 0, maxConsecutiveFails: 0}}
            agents:
              add: {command: "echo $LOOPKEEPER_ITEM >> list.txt; echo $LOOPKEEPER_ITEM > $LOOPKEEPER_ITEM.txt"}
            """;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private SmallRepository repository;

    @BeforeEach
    void haveRepository() throws IOException {
        repository = SmallRepository.in(folder.resolve("repository"));
    }

    @CanIgnoreReturnValue
    private String git(String... words) throws IOException {
        return repository.git(words);
    }

    private Keeper keeper() throws IOException {
        return new Keeper(folder.toRealPath().resolve("data"), repository.folder());
    }

    private static List<JsonNode> data(Keeper keeper, String runId, String type) {
        return keeper.events(runId).stream()
                .filter(event -> event.type().equals(type))
                .map(StoredEvent::data)
                .toList();
    }

    @Test
    void eachStepIsACommitOnTheRunsBranchAndTheCheckoutStaysAsItWas() throws IOException {
        String before = git("rev-parse", "HEAD") + git("status", "--porcelain=v2", "--branch");
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(ISOLATED + """
                    name: one
                    agents:
                      dev: {command: "echo more >> list.txt; mkdir -p .loopkeeper; echo x > .loopkeeper/own"}
                      look: {command: "grep -q more list.txt"}
                    phases: [{name: build, loop: {steps: [dev, look], maxIterations: 2}}]
                    """);
            keeper.untilEnded(runId);

            JsonNode run = keeper.until(runId, "completed");
            assertThat(git("log", "--format=%s", "main..loopkeeper/" + runId).lines())
                    .containsExactly("build.2.dev.1: completed", "build.1.dev.1: completed");
            assertThat(data(keeper, runId, "workspace.committed"))
                    .extracting(event -> event.path("stepId").asText())
                    .containsExactly("build.1.dev.1", "build.2.dev.1");
            assertThat(run.at("/git/head").asText()).isEqualTo(git("rev-parse", "loopkeeper/" + runId));
            assertThat(run.at("/git/base").asText()).isEqualTo(git("rev-parse", "main"));
            assertThat(run.at("/git/files").asInt()).isEqualTo(1);
            assertThat(run.at("/git/insertions").asInt()).isEqualTo(2);
            assertThat(keeper.data().resolve("runs").resolve(runId).resolve("worktree"))
                    .doesNotExist();
        }
        assertThat(git("rev-parse", "HEAD") + git("status", "--porcelain=v2", "--branch"))
                .isEqualTo(before);
        assertThat(git("worktree", "list").lines()).hasSize(1);
    }

    @Test
    void itemsOfTheRepositoryAreThoseOfTheRunsWorktree() throws IOException {
        try (Keeper keeper = keeper()) {
            Files.writeString(repository.folder().resolve("items.json"), "[{\"id\": \"old\"}]");
            String runId = keeper.start(ISOLATED + """
                    name: planned
                    agents:
                      plan: {command: "echo '[{\\"id\\":\\"new\\"}]' > items.json"}
                      dev: {command: "echo $LOOPKEEPER_ITEM > done.txt"}
                    phases: [{name: plan, task: plan}, {name: do, each: {itemsFrom: items.json, steps: [dev]}}]
                    """);
            keeper.until(runId, "completed", "paused", "failed");

            assertThat(git("show", "loopkeeper/" + runId + ":done.txt").strip()).isEqualTo("new");
        }
    }

    /** It waited for the hook, as long as git may take, and then for four more tries. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStopEndsAHookThatDoesNotEnd(boolean now) throws IOException {
        Path begun = folder.resolve("begun");
        Path hook = repository.folder().resolve(".git/hooks/pre-commit");
        Files.writeString(hook, "#!/bin/sh\necho $$ >> " + begun + "; sleep 250\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: hooked
                    isolation: {git: worktree, hooks: true}
                    agents: {dev: {command: "echo more >> list.txt", stop: {grace: 300ms}}}
                    phases: [{name: only, task: dev}]
                    """);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(begun) && Files.readString(begun).endsWith("\n"));
            long pid = Long.parseLong(Files.readString(begun).strip());

            assertThat(keeper.stop(runId, now).refusal()).isEmpty();
            keeper.untilEnded(runId);

            assertThat(keeper.until(runId, "stopped").at("/termination/subtype").asText())
                    .isEqualTo("error_operator_stop");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() ->
                            ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
            assertThat(begun).as("it was not run again").hasContent(Long.toString(pid));
            Files.delete(hook);
            assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal()).isEmpty();
            keeper.until(runId, "completed");
            assertThat(git("log", "--format=%s", "main..loopkeeper/" + runId).lines())
                    .hasSize(1);
        }
    }

    /** Git waited for the filter of its commit, and the stop for git. */
    @Test
    void aStopEndsAFilterOfTheCommitThatDoesNotEnd() throws IOException {
        Path begun = folder.resolve("begun");
        git("config", "filter.slow.clean", "echo $$ >> " + begun + "; setsid sleep 250; cat");
        Files.writeString(repository.folder().resolve(".git/info/attributes"), "*.bin filter=slow\n");
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: filtered
                    isolation: {git: worktree}
                    agents: {dev: {command: "echo more >> large.bin"}}
                    phases: [{name: only, task: dev}]
                    """);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(begun) && Files.readString(begun).endsWith("\n"));
            ProcessHandle filter = ProcessHandle.of(
                            Long.parseLong(Files.readString(begun).strip()))
                    .orElseThrow();

            ListProcesses ofRun = new ListProcesses(Optional.of(runId));
            assertThat(Keeper.await(ProcessChannels.LIST.ask(keeper.vertx().eventBus(), ofRun, PATIENCE))
                            .processes())
                    .allSatisfy(process -> assertThat(process.stepId()).isEqualTo("only.dev.1"))
                    .anySatisfy(process -> assertThat(process.command()).startsWith("git add"))
                    .anySatisfy(process -> assertThat(process.pid()).isEqualTo(filter.pid()))
                    .extracting(LiveProcess::role)
                    .containsOnly("(git)");

            assertThat(keeper.stop(runId, true).refusal()).isEmpty();
            keeper.untilEnded(runId);

            assertThat(keeper.until(runId, "stopped").at("/termination/subtype").asText())
                    .isEqualTo("error_operator_stop");
            Awaitility.await().atMost(PATIENCE).until(() -> !filter.isAlive());
            assertThat(keeper.data().resolve("runs").resolve(runId).resolve("worktree/large.bin"))
                    .as("what was not committed")
                    .hasContent("more");
        }
    }

    /** The run had ended, and git waited for the filter of its merge. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStopEndsAFilterOfAMergeThatDoesNotEnd(boolean now) throws IOException {
        Path begun = folder.resolve("begun");
        git("config", "filter.slow.smudge", "echo $$ >> " + begun + "; sleep 250; cat");
        Files.writeString(repository.folder().resolve(".git/info/attributes"), "*.bin filter=slow\n");
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: filtered
                    isolation: {git: worktree}
                    agents: {dev: {command: "echo more >> large.bin"}}
                    phases: [{name: add, each: {items: [{id: a}], steps: [dev]}}]
                    """);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(begun) && Files.readString(begun).endsWith("\n"));
            ProcessHandle filter = ProcessHandle.of(
                            Long.parseLong(Files.readString(begun).strip()))
                    .orElseThrow();

            assertThat(keeper.stop(runId, now).refusal()).isEmpty();
            keeper.untilEnded(runId);

            assertThat(keeper.until(runId, "stopped").at("/termination/subtype").asText())
                    .isEqualTo("error_operator_stop");
            Awaitility.await().atMost(PATIENCE).until(() -> !filter.isAlive());
            git("config", "--unset", "filter.slow.smudge");
            assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal()).isEmpty();
            keeper.until(runId, "completed");
            assertThat(git("show", "loopkeeper/" + runId + ":large.bin")).isEqualTo("more");
        }
    }

    /** It took effect when the other worktree was made. */
    @Test
    void aStopEndsAStepAtOnceWhoseWorktreeWaitsBehindAnothers() throws IOException {
        Path begun = folder.resolve("begun");
        git("config", "filter.slow.smudge", "echo $$ >> " + begun + "; sleep 250; cat");
        Files.writeString(repository.folder().resolve(".git/info/attributes"), "*.txt filter=slow\n");
        Path launched = folder.resolve("launched");
        String manifest = """
                name: filtered
                isolation: {git: worktree}
                agents: {dev: {command: "echo one >> %s"}}
                phases: [{name: only, task: dev}]
                """.formatted(launched);
        try (Keeper keeper = keeper()) {
            String first = keeper.start(manifest);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(begun) && Files.readString(begun).endsWith("\n"));
            String second = keeper.start(manifest);

            assertThat(keeper.stop(second, false).refusal()).isEmpty();
            keeper.untilEnded(second);

            assertThat(keeper.until(second, "stopped")
                            .at("/termination/subtype")
                            .asText())
                    .isEqualTo("error_operator_stop");
            assertThat(begun).as("the filter of the first one runs").content().hasLineCount(1);
            keeper.until(first, "running");
            git("config", "--unset", "filter.slow.smudge");
            assertThat(keeper.stop(first, true).refusal()).isEmpty();
            keeper.untilEnded(first);
            assertThat(keeper.resume(second, ResumeRequest.PLAIN).refusal()).isEmpty();
            keeper.until(second, "completed");
            assertThat(launched).hasContent("one");
        }
    }

    @Test
    void aFailedSetupEndsTheRunWithItsLastLinesAndAResumeSetsUpAgain() throws IOException {
        Path there = folder.resolve("there");
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: prepared
                    isolation: {git: worktree, setup: {command: "echo no network; cat %s > made.txt", timeout: 1m}}
                    agents: {dev: {command: grep -q yes made.txt}}
                    phases: [{name: build, loop: {steps: [dev], maxIterations: 2}}]
                    """.formatted(there));
            keeper.untilEnded(runId);

            JsonNode failed = keeper.until(runId, "failed");
            assertThat(failed.at("/termination/subtype").asText()).isEqualTo("error_infrastructure");
            assertThat(failed.at("/termination").toString())
                    .contains("isolation.setup failed")
                    .contains("no network");
            Files.writeString(there, "yes");
            assertThat(keeper.resume(runId, ResumeRequest.PLAIN.with(copy -> copy.acknowledge(true)))
                            .refusal())
                    .isEmpty();
            keeper.until(runId, "completed");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStopWhileASetupRunsEndsItAndAResumeSetsUpAgain(boolean now) throws IOException {
        Path begun = folder.resolve("begun");
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: prepared
                    isolation: {git: worktree, setup: {command: "[ -e %1$s ] || { echo $$ > %1$s; sleep 250; }; touch made"}}
                    agents: {dev: {command: ls made}}
                    phases: [{name: only, task: dev}]
                    """.formatted(begun));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(begun) && Files.readString(begun).endsWith("\n"));
            long pid = Long.parseLong(Files.readString(begun).strip());

            assertThat(keeper.stop(runId, now).refusal()).isEmpty();
            keeper.untilEnded(runId);

            assertThat(keeper.until(runId, "stopped").at("/termination/subtype").asText())
                    .isEqualTo("error_operator_stop");
            Awaitility.await().until(() -> ProcessHandle.of(pid).isEmpty());
            assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal()).isEmpty();
            keeper.until(runId, "completed");
        }
    }

    /** It waited for the filter, and launched the agent then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStopDuringWorktreeSetupLaunchesNoAgent(boolean now) throws IOException {
        Path begun = folder.resolve("begun");
        git("config", "filter.slow.smudge", "echo $$ >> " + begun + "; sleep 250; cat");
        Files.writeString(repository.folder().resolve(".git/info/attributes"), "*.txt filter=slow\n");
        Path launched = folder.resolve("launched");
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: filtered
                    isolation: {git: worktree}
                    agents: {dev: {command: "echo more >> list.txt; echo one >> %s"}}
                    phases: [{name: only, task: dev}]
                    """.formatted(launched));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(begun) && Files.readString(begun).endsWith("\n"));
            long pid = Long.parseLong(Files.readString(begun).strip());

            assertThat(keeper.stop(runId, now).refusal()).isEmpty();
            keeper.untilEnded(runId);

            JsonNode stopped = keeper.until(runId, "stopped");
            assertThat(stopped.at("/termination/subtype").asText()).isEqualTo("error_operator_stop");
            assertThat(launched).doesNotExist();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() ->
                            ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
            git("config", "--unset", "filter.slow.smudge");
            assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal()).isEmpty();
            keeper.until(runId, "completed");
            assertThat(launched).hasContent("one");
            assertThat(git("log", "--format=%s", "main..loopkeeper/" + runId).lines())
                    .hasSize(1);
        }
    }

    /** As for want of memory. It used to end the run, or to be treated as a hook that refuses. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGitThatIsKilledIsAskedAgain(boolean inHook) throws IOException {
        Path killed = folder.resolve("killed");
        String once = "if [ ${PWD##*/} = worktree ] && mkdir " + killed + "; then kill -9 $PPID; fi";
        if (inHook) {
            Path hook = repository.folder().resolve(".git/hooks/pre-commit");
            Files.writeString(hook, "#!/bin/sh\n" + once + "\n");
            Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        } else {
            git("config", "filter.odd.clean", once + "; cat");
            Files.writeString(repository.folder().resolve(".git/info/attributes"), "*.txt filter=odd\n");
        }
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: killed
                    isolation: {git: worktree, hooks: true}
                    agents: {dev: {command: "echo more >> list.txt"}}
                    phases: [{name: only, task: dev}]
                    """);

            keeper.untilEnded(runId);

            keeper.until(runId, "completed");
            assertThat(killed).exists();
            assertThat(git("log", "--format=%s", "main..loopkeeper/" + runId).lines())
                    .containsExactly("only.dev.1: completed");
        }
    }

    /** The store has forgotten the run, and so where its repository is. */
    @Test
    void theNextStartFinishesAnInterruptedRemoval() throws IOException {
        String runId;
        try (Keeper keeper = keeper()) {
            runId = keeper.start(ISOLATED + """
                    name: kept
                    agents: {dev: {command: "echo more >> list.txt; exit 1"}}
                    phases: [{name: only, task: dev}]
                    """);
            keeper.untilEnded(runId);
            assertThat(git("worktree", "list").lines()).hasSize(2);
        }
        Path data = folder.toRealPath().resolve("data");
        Vertx vertx = Vertx.vertx();
        OpenStore store = Keeper.await(SqliteEventStore.open(vertx, data));
        String note = "[{\"runId\":\"" + runId + "\",\"git\":{\"workspace\":\"" + repository.folder() + "\",\"base\":\""
                + git("rev-parse", "main") + "\"}}]";
        Files.writeString(data.resolve("unfinished.json"), note);
        assertThat(Keeper.await(store.delete(runId))).isTrue();
        Keeper.await(store.close());
        Keeper.await(vertx.close());

        try (Keeper again = keeper()) {
            assertThat(git("worktree", "list").lines()).hasSize(1);
            assertThat(git("for-each-ref", "--format=%(refname)").lines())
                    .containsExactly("refs/heads/loopkeeper/" + runId, "refs/heads/main");
            assertThat(again.data().resolve("runs").resolve(runId)).doesNotExist();
            assertThat(again.data().resolve("unfinished.json")).doesNotExist();
        }
    }

    @Test
    void itemsInParallelMeetConflictsAndEachChangeArrivesOnce() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(ISOLATED + LINES + """
                    name: lines
                    phases:
                      - name: add
                        each: {items: [{id: a}, {id: b}, {id: c}, {id: d}], steps: [add], maxAttempts: 5, concurrency: 4}
                    """);
            keeper.untilEnded(runId);

            assertThat(keeper.get(runId).path("status").asText()).isEqualTo("completed");
            String branch = "loopkeeper/" + runId;
            assertThat(git("show", branch + ":list.txt").lines())
                    .containsExactlyInAnyOrder("first", "a", "b", "c", "d");
            assertThat(git("ls-tree", "--name-only", branch).lines())
                    .containsExactlyInAnyOrder("list.txt", "a.txt", "b.txt", "c.txt", "d.txt");
            Set<String> merged = data(keeper, runId, "workspace.merged").stream()
                    .filter(event -> event.hasNonNull("commit"))
                    .map(event -> event.path("item").asText())
                    .collect(Collectors.toSet());
            assertThat(merged).containsExactlyInAnyOrder("a", "b", "c", "d");
            assertThat(data(keeper, runId, "notice").stream()
                            .map(event -> event.at("/cleared/worktree").asText()))
                    .containsExactlyInAnyOrderElementsOf(data(keeper, runId, "item.finished").stream()
                            .map(event -> event.path("leaves").asText())
                            .toList());
            assertThat(git("worktree", "list").lines()).hasSize(1);
            assertThat(git("branch", "--list", "loopkeeper/items/*")).isEmpty();
            assertThat(keeper.data().resolve("runs").resolve(runId).resolve("worktrees"))
                    .doesNotExist();
        }
    }

    @Test
    void workWhoseCommitFailedIsInTheResultOnceItCanBeCommitted() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(ISOLATED + """
                    name: locked
                    agents: {add: {command: "touch ../../here; until [ -e ../../go ]; do sleep 0.1; done; echo $LOOPKEEPER_ITEM >> list.txt"}}
                    phases: [{name: add, each: {items: [{id: a}], steps: [add]}}]
                    """);
            Path here = keeper.data().resolve("runs").resolve(runId);
            Awaitility.await().until(() -> Files.exists(here.resolve("here")));
            Path objects = repository.folder().resolve(".git/objects");
            Files.move(objects, folder.resolve("objects"));
            Files.createFile(objects);
            Files.createFile(here.resolve("go"));
            assertThat(keeper.until(runId, "failed")
                            .at("/termination/reasonCode")
                            .asText())
                    .isEqualTo("infrastructure");
            Files.delete(objects);
            Files.move(folder.resolve("objects"), objects);

            assertThat(keeper.resume(runId, ResumeRequest.PLAIN.acknowledged()).refusal())
                    .isEmpty();
            keeper.until(runId, "completed");

            assertThat(git("show", "loopkeeper/" + runId + ":list.txt").lines()).contains("first", "a");
            assertThat(data(keeper, runId, "workspace.merged")).hasSize(1);
        }
    }

    @Test
    void anIterationThatIsTriedAgainBeginsFromWhereItBegan() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(ISOLATED + """
                    name: again
                    agents:
                      dev: {command: "echo $LOOPKEEPER_ATTEMPT >> list.txt; cat list.txt"}
                      judge:
                        signal: .loopkeeper/judge.json
                        command: "test $LOOPKEEPER_ATTEMPT = 1 || echo '{\\"determination\\": \\"SUCCESS\\"}' > $LOOPKEEPER_SIGNAL_FILE"
                    phases: [{name: build, loop: {steps: [dev, judge]}}]
                    """);
            JsonNode paused = keeper.until(runId, "paused");
            assertThat(paused.at("/pause/reason").asText()).isEqualTo("missing_signals");
            String undone = paused.at("/git/head").asText();
            assertThat(keeper.resume(runId, retry()).refusal()).isEmpty();
            keeper.untilEnded(runId);

            assertThat(git("show", "loopkeeper/" + runId + ":list.txt").lines()).containsExactly("first", "2");
            assertThat(git("for-each-ref", "--format=%(objectname)", "refs/loopkeeper/" + runId + "/undone"))
                    .isEqualTo(undone);

            Keeper.await(StoreChannels.PRUNE.ask(
                    keeper.vertx().eventBus(),
                    new PruneRuns(Instant.now().plusSeconds(60), 0, Optional.empty(), false, false),
                    Duration.ofMinutes(1)));
            assertThat(git("for-each-ref", "refs/loopkeeper")).isEmpty();
            assertThat(git("branch", "--list", "loopkeeper/*")).contains(runId);
        }
    }

    @Test
    void restoresARemovedBranchAtTheRunsLastCommit() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(ISOLATED + """
                    name: gone
                    agents: {dev: {command: "echo $LOOPKEEPER_ITERATION >> list.txt"}}
                    phases: [{name: build, loop: {steps: [dev], maxIterations: 2, pauseEvery: 1}}]
                    """);
            String head = keeper.until(runId, "paused").at("/git/head").asText();
            Path worktree = keeper.data().resolve("runs").resolve(runId).resolve("worktree");
            git("worktree", "remove", "--force", worktree.toString());
            git("branch", "-D", "loopkeeper/" + runId);

            assertThat(keeper.resume(runId, ResumeRequest.PLAIN.action(ResumeAction.CONTINUE))
                            .refusal())
                    .isEmpty();
            keeper.untilEnded(runId);

            assertThat(git("show", "loopkeeper/" + runId + ":list.txt").lines()).containsExactly("first", "1", "2");
            assertThat(git("rev-parse", "loopkeeper/" + runId + "~1")).isEqualTo(head);
        }
    }

    private static ResumeRequest retry() {
        return ResumeRequest.PLAIN.action(ResumeAction.RETRY_ITERATION);
    }

    @Test
    void reportsAConflictingBranchBeforeTheStart() throws IOException {
        String manifest = ISOLATED + "name: x\nagents: {a: {command: [\"true\"]}}\n";
        String items = manifest + "phases: [{name: p, each: {items: [{id: i}], steps: [a]}}]\n";
        git("branch", "loopkeeper/mine");
        try (Keeper keeper = keeper()) {
            assertThatThrownBy(() -> keeper.startAs("mine", manifest + "phases: [{name: p, task: a}]\n"))
                    .hasMessageContaining("isolation.branch")
                    .hasMessageContaining("branch loopkeeper/mine exists already");
            // The branches of items lie below loopkeeper/items.
            assertThatThrownBy(() -> keeper.startAs("items", items)).hasMessageContaining("isolation.branch");
            git("branch", "--move", "loopkeeper/mine", "loopkeeper");
            assertThatThrownBy(() -> keeper.start(items)).hasMessageContaining("branch loopkeeper exists, and");
            assertThat(git("worktree", "list").lines()).hasSize(1);
        }
    }

    /** A scaffolder's repository went with the worktree, and the branch led to a commit that was nowhere. */
    @Test
    void aRepositoryThatAnAgentMadeStaysAndIsNamed() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(ISOLATED + """
                    name: scaffold
                    agents:
                      dev:
                        timeout: 30s
                        command: >-
                          mkdir app && cd app && git init -q && echo work >main.js && git add -A
                          && git -c user.name=t -c user.email=t@example.org commit -qm init
                    phases: [{name: p, task: dev}]
                    """);
            keeper.untilEnded(runId);

            Path worktree = keeper.data().resolve("runs").resolve(runId).resolve("worktree");
            assertThat(worktree.resolve("app/main.js")).hasContent("work");
            assertThat(keeper.get(runId).at("/git/kept/0/path").asText()).isEqualTo(worktree.toString());
            assertThat(keeper.get(runId).at("/git/kept/0/reason").asText()).isEqualTo("app is a repository of its own");
            assertThat(data(keeper, runId, "notice"))
                    .extracting(notice -> notice.path("code").asText())
                    .containsExactly("worktree-warning", "worktree-kept");
        }
    }

    @Test
    void withoutARepositoryNothingStarts() throws IOException {
        Path plain = Files.createDirectory(folder.toRealPath().resolve("plain"));
        try (Keeper keeper = keeper()) {
            String manifest = ISOLATED + "name: x\nagents: {a: {command: [\"true\"]}}\nphases: [{name: p, task: a}]\n";

            assertThatThrownBy(() -> keeper.start(manifest, plain))
                    .hasMessageContaining("INVALID_MANIFEST")
                    .hasMessageContaining("isolation.git")
                    .hasMessageContaining("not in a git repository");
        }
    }
}
