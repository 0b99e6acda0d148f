package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.ServedNode;
import dev.loopkeeper.embed.SmallRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server is killed when an attempt at an item is over, and its worktree is not, or not known to be, removed. */
@Execution(ExecutionMode.CONCURRENT)
class ClearingKilledIT {
    private static final String MANIFEST = """
            name: clearing
            isolation: {git: worktree}
            retry: {stopConditions: {maxRetryRate: 0, maxRejectRate: 0, maxConsecutiveFails: 0}}
            agents:
              dev: {command: "echo $LOOPKEEPER_ATTEMPT >> list.txt; test $LOOPKEEPER_ATTEMPT = 2"}
            phases:
              - {name: parts, each: {items: [{id: a}], steps: [dev], maxAttempts: 3}}
            """;

    /** Waits before or behind the first call of these words, as long as it is left alive. */
    private static final String CATCHING = """
            #!/bin/sh
            case "$*" in
                WORDS)
                    if [ -e HERE/trap ]; then
                        BEHIND && GIT "$@"
                        echo $$ > HERE/caught.new; mv HERE/caught.new HERE/caught
                        exec sleep 600
                    fi;;
            esac
            exec GIT "$@"
            """;

    @TempDir
    private Path folder;

    private SmallRepository repository;
    private Path data;

    /** Before anything is removed, before and behind the end of the registration, and behind all of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "false write-tree",
                "false worktree?remove*",
                "true worktree?remove*",
                "true rev-parse*/branches/*"
            })
    void theNextServerClearsItAway(String where) throws Exception {
        String[] parts = where.split(" ", 2);
        repository = SmallRepository.in(folder.resolve("repository"));
        data = folder.toRealPath().resolve("data");
        Map<String, String> catching = catching(parts[0], parts[1]);
        Files.createFile(folder.resolve("trap"));
        String run;
        String over;
        try (Program server = Program.start(folder, catching, "serve", "--port", "0", "--data", data.toString())) {
            Api api = Api.of(server);
            run = api.submit(MANIFEST, repository.folder());
            over = Awaitility.await()
                    .until(
                            () -> data(api, run, "item.finished").stream()
                                    .map(event -> event.path("leaves").asText())
                                    .findFirst()
                                    .orElse(""),
                            name -> !name.isEmpty());
            Awaitility.await().until(() -> Files.exists(folder.resolve("caught")));
            assertThat(data(api, run, "notice")).noneMatch(notice -> notice.has("cleared"));
            server.kill();
        }
        Files.delete(folder.resolve("trap"));

        try (ServedNode server = new ServedNode(data)) {
            Api api = Api.of(server);
            JsonNode ended = api.until(run, "completed", "failed", "stopped", "paused");

            assertThat(ended.path("status").asText()).as(ended.toString()).isEqualTo("completed");
            assertThat(data(api, run, "notice").stream()
                            .map(notice -> notice.at("/cleared/worktree").asText())
                            .filter(name -> !name.isEmpty()))
                    .containsExactlyElementsOf(data(api, run, "item.finished").stream()
                            .map(event -> event.path("leaves").asText())
                            .toList())
                    .startsWith(over)
                    .hasSize(2);
        }
        assertThat(repository.git("show", "loopkeeper/" + run + ":list.txt").lines())
                .containsExactly("first", "2");
        assertThat(repository.git("worktree", "list").lines()).hasSize(1);
        assertThat(repository.git("branch", "--list", "loopkeeper/items/*")).isEmpty();
        assertThat(repository
                        .git("for-each-ref", "--format=%(refname)", "refs/loopkeeper/" + run + "/branches/")
                        .lines())
                .hasSize(2);
        try (Stream<Path> left = Files.walk(data.resolve("runs").resolve(run))) {
            assertThat(left.filter(path -> path.getFileName().toString().equals("list.txt")))
                    .isEmpty();
        }
    }

    private static List<JsonNode> data(Api api, String run, String type) throws IOException, InterruptedException {
        return api.events(run).stream()
                .filter(event -> event.path("type").asText().equals(type))
                .map(event -> event.path("data"))
                .toList();
    }

    private Map<String, String> catching(String behind, String words) throws IOException {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/local/bin:/usr/bin:/bin");
        Path real = Stream.of(path.split(":", -1))
                .map(part -> Path.of(part, "git"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
        String text = CATCHING.replace("WORDS", words)
                .replace("BEHIND", behind)
                .replace("GIT", real.toString())
                .replace("HERE", folder.toString());
        Path git = Files.writeString(bin.resolve("git"), text);
        Files.setPosixFilePermissions(git, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Map.of("PATH", bin + ":" + path);
    }
}
