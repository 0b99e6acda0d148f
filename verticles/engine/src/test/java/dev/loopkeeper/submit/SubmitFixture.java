package dev.loopkeeper.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.manifest.read.ManifestProblem;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A project folder with a program, and submissions over it. */
abstract class SubmitFixture {
    static final String MANIFEST = """
            name: demo
            agents:
              dev: {command: [./agent.sh]}
            phases:
              - {name: build, loop: {steps: [dev]}}
            """;

    @TempDir
    Path temporary;

    Path project;
    Path program;
    private Vertx vertx;
    WorkerExecutor workers;
    private Submissions submissions;

    @BeforeEach
    void prepare() throws IOException {
        project = Files.createDirectories(temporary.toRealPath().resolve("project"));
        program = executable(project.resolve("agent.sh"));
        vertx = Vertx.vertx();
        workers = vertx.createSharedWorkerExecutor("submissions", 2);
        submissions = Submissions.on(vertx, workers, Map.of("PATH", "/usr/bin:/bin"));
    }

    @AfterEach
    void tearDown() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @CanIgnoreReturnValue
    static Path executable(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Path manifest(String text) {
        try {
            return Files.writeString(project.resolve("manifest.yaml"), text);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    Submission submit(Path file, SubmitOptions options) {
        return submissions
                .fromFile(file, options)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    Submission submitDocument(JsonNode document, SubmitOptions options) {
        return submissions
                .fromDocument(document, options)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    Submission submitText(String text, SubmitOptions options) {
        return submitDocument(TextNode.valueOf(text), options);
    }

    static Submission.Accepted accepted(Submission submission) {
        assertThat(submission).isInstanceOf(Submission.Accepted.class);
        return (Submission.Accepted) submission;
    }

    static List<ManifestProblem> problems(Submission submission) {
        assertThat(submission).isInstanceOf(Submission.Refused.class);
        return ((Submission.Refused) submission).problems();
    }

    static List<String> refused(Submission submission) {
        return problems(submission).stream().map(ManifestProblem::text).toList();
    }

    /** As {@link #refused}, with the position in front. */
    static List<String> placed(Submission submission) {
        return problems(submission).stream()
                .map(problem -> problem.text("manifest.yaml"))
                .toList();
    }

    List<String> refusedAgent(String keys) {
        return refused(submit(manifest(MANIFEST.replace("[./agent.sh]", "[./agent.sh], " + keys)), SubmitOptions.NONE));
    }

    List<String> refusedCommand(String command) {
        return refused(submit(manifest(MANIFEST.replace("[./agent.sh]", command)), SubmitOptions.NONE));
    }

    static SubmitOptions overriding(String path, String value) {
        return new SubmitOptions(Optional.empty(), Map.of(), Map.of(path, value));
    }

    static SubmitOptions workspace(Path workspace) {
        return new SubmitOptions(Optional.of(workspace.toString()), Map.of(), Map.of());
    }
}
