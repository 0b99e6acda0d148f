package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.embed.SmallRepository;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server at random moments while a run with a worktree works on items in parallel that conflict, and with a git
 * that is slow, so that gits outlive their server and meet the next one. {@code -Dloopkeeper.torture.worktreeKills=200}
 * makes it long, {@code -Dloopkeeper.seed=N} repeats the choices of an earlier one.
 */
class WorktreeTortureIT {
    private static final int KILLS = Integer.getInteger("loopkeeper.torture.worktreeKills", 2);
    private static final long SEED = Long.getLong("loopkeeper.seed", 20_261_126L);
    private static final int ITEMS = 4;
    private static final int LONGEST_LIFE_MILLIS = 1500;
    private static final int LONGEST_HUNT_MILLIS = 10_000;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Set<String> OVER = Set.of("completed", "failed", "stopped");
    private static final String MANIFEST = """
            name: torture
            isolation: {git: worktree}
            retry: {stopConditions: {maxRetryRate: 0, maxRejectRate: 0, maxConsecutiveFails: 0}}
            agents:
              dev: {command: "sleep 0.1; echo dev $LOOPKEEPER_ITERATION >> list.txt"}
              add: {command: "sleep 0.1; echo $LOOPKEEPER_ITEM >> list.txt; echo $LOOPKEEPER_ITEM > $LOOPKEEPER_ITEM.txt"}
            phases:
              - {name: build, loop: {steps: [dev], maxIterations: 2}}
              - name: parts
                each: {items: [{id: a}, {id: b}, {id: c}, {id: d}], steps: [add], maxAttempts: 90, concurrency: 3}
            """;

    /** The one that takes the trap away waits for a word before its work or after it. */
    private static final String CATCHING = """
            #!/bin/sh
            wait_for_word() {
                echo $$ > HERE/caught.new; mv HERE/caught.new HERE/caught
                n=0; until [ -e HERE/go.$$ ] || [ $n = 2400 ]; do sleep 0.05; n=$((n+1)); done
            }
            if [ -e HERE/trap ] && mv HERE/trap HERE/sprung 2>/dev/null; then
                if [ $(($$ % 2)) = 0 ]; then wait_for_word; else GIT "$@"; wait_for_word; exit 0; fi
            fi
            exec GIT "$@"
            """;

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private final List<String> runs = new ArrayList<>();
    private SmallRepository repository;
    private Path data;
    private Map<String, String> environment;

    @Test
    void everyApprovedItemIsInTheResultOnceWhateverIsKilled() throws Exception {
        System.out.println("loopkeeper.seed=" + SEED + ", worktreeKills=" + KILLS);
        prepare();
        List<String> before = persons();
        List<Long> outlived = new ArrayList<>();
        for (int kill = 0; kill < KILLS; kill++) {
            boolean early = random.nextBoolean();
            release(early, outlived);
            try (Program server = serve()) {
                live(server, () -> release(!early, outlived));
                server.kill();
            }
            outlived.addAll(caught());
        }
        try (Program server = serve()) {
            Api api = Api.of(server);
            release(true, outlived);
            for (String run : runs) {
                Awaitility.await().atMost(LONG).until(() -> isOver(api, run));
                check(api, run);
            }
            Awaitility.await()
                    .until(() -> gits().isEmpty()
                            && Files.notExists(repository.folder().resolve(".git/worktrees")));
            Processes.awaitNoneWith("LOOPKEEPER_DATA=" + data);
        }
        assertThat(persons()).isEqualTo(before);
        for (String run : runs) {
            assertNoFileIsLeft(run);
        }
        assertNothingIsLeft();
        System.out.printf(
                "%d kills, of which %d left a git alive; %d runs with %d items each%n",
                KILLS, outlived.size(), runs.size(), ITEMS);
    }

    /** A checkout in the midst of work, and a git that can be caught. */
    private void prepare() throws Exception {
        repository = SmallRepository.in(folder.resolve("repository"));
        data = folder.toRealPath().resolve("data");
        Files.writeString(repository.folder().resolve("list.txt"), "stashed\n");
        repository.git("stash", "push", "--quiet");
        Files.writeString(repository.folder().resolve("staged"), "staged\n");
        repository.git("add", "staged");
        Files.writeString(repository.folder().resolve("mine"), "not tracked\n");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/local/bin:/usr/bin:/bin");
        Path real = Stream.of(path.split(":", -1))
                .map(part -> Path.of(part, "git"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
        Path slow = Files.writeString(
                bin.resolve("git"), CATCHING.replace("GIT", real.toString()).replace("HERE", folder.toString()));
        Files.setPosixFilePermissions(slow, PosixFilePermissions.fromString("rwxr-xr-x"));
        environment = Map.of("PATH", bin + ":" + path, "HOME", "/nonexistent", "XDG_CONFIG_HOME", "/nonexistent");
    }

    private Program serve() throws IOException {
        return Program.start(folder, environment, "serve", "--port", "0", "--data", data.toString());
    }

    private interface Step {
        void take() throws IOException;
    }

    /**
     * Begins a run when the last one is over, and resumes one that is paused, until the time has come: any moment, or one
     * at which a git is caught.
     */
    private void live(Program server, Step begun) throws Exception {
        Api api = Api.of(server);
        begun.take();
        if (runs.isEmpty() || isOver(api, runs.get(runs.size() - 1))) {
            runs.add(api.submit(MANIFEST, repository.folder()));
        }
        boolean hunts = random.nextInt(3) > 0;
        int millis = random.nextInt(LONGEST_LIFE_MILLIS);
        long end = System.nanoTime()
                + Duration.ofMillis(hunts ? millis + LONGEST_HUNT_MILLIS : millis)
                        .toNanos();
        long hunt = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        while (System.nanoTime() < end
                && Files.notExists(folder.resolve("caught"))
                && !isOver(api, runs.get(runs.size() - 1))
                && !server.endsWithin(5)) {
            if (hunts && System.nanoTime() > hunt) {
                Files.writeString(folder.resolve("trap"), "");
                hunts = false;
            }
        }
        Files.deleteIfExists(folder.resolve("trap"));
        if (Files.deleteIfExists(folder.resolve("sprung"))) {
            Awaitility.await().until(() -> Files.exists(folder.resolve("caught")));
        }
    }

    /** The git that waits for a word, now that its server is gone. */
    private List<Long> caught() throws IOException {
        Path file = folder.resolve("caught");
        if (Files.notExists(file)) {
            return List.of();
        }
        long pid = Long.parseLong(Files.readString(file).strip());
        Files.delete(file);
        assertThat(Processes.lives(pid)).isTrue();
        return List.of(pid);
    }

    /** Lets those that outlived their server continue, which they do if the next one lets them. */
    private void release(boolean now, List<Long> gits) throws IOException {
        for (long git : now ? gits : List.<Long>of()) {
            Files.writeString(folder.resolve("go." + git), "");
        }
    }

    /** Whether it is; one that waits for a person is asked to continue. */
    private static boolean isOver(Api api, String run) throws IOException, InterruptedException {
        JsonNode seen = api.get("/runs/" + run);
        JsonNode allowed = seen.path("pause").path("allowedActions");
        if (!allowed.isEmpty()) {
            Set<String> actions = new TreeSet<>();
            allowed.forEach(action -> actions.add(action.asText()));
            ObjectNode body = Json.MAPPER.createObjectNode();
            body.put(
                    "action",
                    actions.contains("retry_iteration")
                            ? "retry_iteration"
                            : actions.iterator().next());
            api.post("/runs/" + run + "/resume", body);
        }
        return OVER.contains(seen.path("status").asText());
    }

    private void check(Api api, String run) throws Exception {
        JsonNode seen = api.get("/runs/" + run);
        assertThat(seen.path("status").asText()).as(seen.toString()).isEqualTo("completed");
        String branch = "loopkeeper/" + run;
        String range = "main.." + branch;
        assertThat(repository.git("show", branch + ":list.txt").lines())
                .containsExactlyInAnyOrder("first", "dev 1", "dev 2", "a", "b", "c", "d");
        assertThat(repository.git("ls-tree", "--name-only", branch).lines())
                .containsExactlyInAnyOrder("list.txt", "a.txt", "b.txt", "c.txt", "d.txt");
        assertThat(trailers(range, "Item", "--merges", "--first-parent")).containsExactlyInAnyOrder("a", "b", "c", "d");
        List<String> steps = trailers(range, "Step");
        assertThat(steps).doesNotHaveDuplicates().hasSize(2 + ITEMS);
        List<String> recorded = api.events(run).stream()
                .filter(event -> event.path("type").asText().equals("workspace.committed"))
                .map(event -> event.at("/data/stepId").asText())
                .toList();
        assertThat(recorded).doesNotHaveDuplicates().containsAll(steps);
        for (String ref : repository
                .git("for-each-ref", "--format=%(refname)", "refs/loopkeeper/" + run)
                .lines()
                .toList()) {
            assertThat(trailers("main.." + ref, "Step")).as(ref).doesNotHaveDuplicates();
        }
        assertThat(repository.git("log", "--all", "-G", "^(<<<<<<<|>>>>>>>)", "--format=%H"))
                .isEmpty();
    }

    /** Worktrees are removed after the end of the run, so not before those of all runs are gone from git's list. */
    private void assertNoFileIsLeft(String run) throws IOException {
        try (Stream<Path> left = Files.walk(data.resolve("runs").resolve(run))) {
            assertThat(left.map(path -> path.getFileName().toString())
                            .filter(name -> name.equals("list.txt") || name.contains(".lost-")))
                    .as(run)
                    .isEmpty();
        }
    }

    private List<String> trailers(String range, String name, String... options) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("log", "--format=%(trailers:key=Loopkeeper-" + name + ",valueonly,separator=%x20)"));
        words.addAll(List.of(options));
        words.add(range);
        return repository
                .git(words.toArray(String[]::new))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private void assertNothingIsLeft() throws IOException {
        Path git = repository.folder().resolve(".git");
        try (Stream<Path> left = Files.walk(git)) {
            assertThat(left.map(Path::toString)
                            .filter(name -> name.endsWith(".lock") || name.endsWith("packed-refs.new")))
                    .isEmpty();
        }
        assertThat(repository.git("worktree", "list").lines()).hasSize(1);
        assertThat(git.resolve("worktrees")).doesNotExist();
        assertThat(repository.git("branch", "--list", "loopkeeper/items/*")).isEmpty();
        assertThat(gits()).isEmpty();
    }

    /** Gits of our servers, of the living and of those that were killed, by their mark. */
    private List<Long> gits() throws IOException {
        return Processes.with(Sha256.hex(data.toString().getBytes(StandardCharsets.UTF_8))).stream()
                .map(process -> Long.valueOf(process.split(" ", 2)[0]))
                .toList();
    }

    private List<String> persons() throws IOException {
        List<String> facts = new ArrayList<>();
        for (String file :
                List.of(".git/index", ".git/HEAD", ".git/config", ".git/refs/heads/main", ".git/refs/stash")) {
            facts.add(HexFormat.of()
                    .formatHex(Files.readAllBytes(repository.folder().resolve(file))));
        }
        facts.add(repository.git("stash", "list"));
        facts.add(repository.git("--no-optional-locks", "status", "--porcelain=v2", "--branch"));
        facts.add(repository.git("branch", "--list", "--format=%(refname) %(objectname)", "main"));
        return facts;
    }
}
