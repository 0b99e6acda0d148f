package dev.loopkeeper.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SubmissionsTest extends SubmitFixture {
    private static final String EACH = """
            name: demo
            agents: {dev: {command: [./agent.sh]}}
            phases: [{name: frames, each: {itemsFrom: items.json, steps: [dev]}}]
            """;

    @Test
    void aSoundFileIsAccepted() {
        Submission.Accepted submission = accepted(submit(manifest(MANIFEST), SubmitOptions.NONE));

        assertThat(submission.manifest().name()).isEqualTo("demo");
        assertThat(submission.workspace()).isEqualTo(project.toString());
        assertThat(submission.baseDir()).isEqualTo(project.toString());
    }

    @Test
    void aMissingFileAFolderAndBadBytesAreRefused() throws IOException {
        Path latin = Files.write(project.resolve("latin.yaml"), new byte[] {'a', ':', (byte) 0xfc});
        Path large = Files.write(project.resolve("large.yaml"), new byte[5 * 1024 * 1024]);

        assertThat(refused(submit(project.resolve("none.yaml"), SubmitOptions.NONE)))
                .containsExactly("there is no file " + project.resolve("none.yaml"));
        assertThat(refused(submit(project, SubmitOptions.NONE)))
                .containsExactly(project + " is a folder; name a YAML or JSON file");
        assertThat(refused(submit(latin, SubmitOptions.NONE)))
                .singleElement()
                .asString()
                .contains("not UTF-8");
        assertThat(refused(submit(large, SubmitOptions.NONE)))
                .singleElement()
                .asString()
                .contains("larger than");
    }

    @Test
    void aSyntaxErrorIsOneProblemWithItsLine() {
        assertThat(placed(submit(manifest("name: demo\nagents: [\n"), SubmitOptions.NONE)))
                .singleElement()
                .asString()
                .startsWith("manifest.yaml:3:1: ");
    }

    @Test
    void theWorkspaceIsRelativeToTheManifest() throws IOException {
        Path sub = Files.createDirectories(project.resolve("sub"));
        Files.createSymbolicLink(project.resolve("link"), sub);

        assertThat(accepted(submit(manifest("workspace: link\n" + MANIFEST), SubmitOptions.NONE))
                        .workspace())
                .isEqualTo(sub.toString());
    }

    @Test
    void aWorkspaceOptionOutranksTheManifest() throws IOException {
        Path other = Files.createDirectories(project.resolve("other"));

        Submission.Accepted submission =
                accepted(submit(manifest("workspace: nowhere\n" + MANIFEST), workspace(other)));

        assertThat(submission.workspace()).isEqualTo(other.toString());
        assertThat(submission.baseDir()).isEqualTo(project.toString());
    }

    @Test
    void anUnusableWorkspaceIsRefused() throws IOException {
        assertThat(refused(submit(manifest("workspace: nowhere\n" + MANIFEST), SubmitOptions.NONE)))
                .containsExactly("workspace: there is no folder " + project.resolve("nowhere") + "; create it");
        assertThat(refused(submit(manifest("workspace: agent.sh\n" + MANIFEST), SubmitOptions.NONE)))
                .containsExactly("workspace: " + program + " is not a folder");
    }

    /** Not even the superuser may write there. */
    @Test
    void refusesAReadOnlyWorkspaceWithTheUserAndTheRemedy() throws IOException {
        String user = System.getProperty("user.name");

        assertThat(refused(submit(manifest("workspace: /proc/sys\n" + MANIFEST), SubmitOptions.NONE)))
                .containsExactly("workspace: user " + user + ", who runs the agents, may not read, write and enter"
                        + " /proc/sys, owned by root; give that user access (sudo setfacl -R -m u:" + user
                        + ":rwX /proc/sys), run Loopkeeper as root, or name another workspace");
    }

    @Test
    void aDocumentThatNamesNoWorkspaceWorksWhereTheServerWasStarted() {
        String text = "{name: demo, agents: {dev: {command: 'true'}}, phases: [{name: only, task: dev}]}";
        assertThat(accepted(submitText(text, SubmitOptions.NONE)).workspace())
                .isEqualTo(Path.of("").toAbsolutePath().toString());
    }

    @Test
    void theWorkspaceThatADocumentNamesIsAbsolute() {
        assertThat(refused(submitText("workspace: .\n" + MANIFEST, SubmitOptions.NONE)))
                .singleElement()
                .asString()
                .startsWith("workspace: expected the absolute path of a folder");
        assertThat(refused(submitText(MANIFEST, workspace(Path.of("")))))
                .singleElement()
                .asString()
                .endsWith("no manifest file that \"\" could be relative to");
        assertThat(accepted(submitText("workspace: " + project + "\n" + MANIFEST, SubmitOptions.NONE))
                        .baseDir())
                .isEqualTo(project.toString());
        assertThat(accepted(submitText(MANIFEST, workspace(project))).workspace())
                .isEqualTo(project.toString());
    }

    @Test
    void aDocumentMayBeATreeAndStaysAsItIs() {
        Submission.Accepted first = accepted(submitText(MANIFEST, workspace(project)));
        String before = first.document().toString();

        Submission.Accepted second = accepted(submitDocument(
                first.document(),
                new SubmitOptions(Optional.of(project.toString()), Map.of("x", "1"), Map.of("name", "two"))));

        assertThat(first.document()).hasToString(before);
        assertThat(second.manifest().name()).isEqualTo("two");
        assertThat(refused(submitDocument(JsonNodeFactory.instance.arrayNode(), SubmitOptions.NONE)))
                .hasSize(1);
    }

    @Test
    void theFileOfAFirstPhaseIsCheckedAndReadLater() throws IOException {
        Files.writeString(
                project.resolve("items.json"), "{\"items\": [{\"id\": \"f1\"}, {\"id\": 2, \"dependsOn\": [\"f1\"]}]}");

        Submission.Accepted submission = accepted(submit(manifest(EACH), SubmitOptions.NONE));

        assertThat(((EachPhase) submission.manifest().phase(0)).items()).isEmpty();
        assertThat(((EachPhase) submission.manifest().phase(0)).itemsFrom()).contains("items.json");
        assertThat(ManifestReader.read(submission.document()))
                .isEqualTo(new ManifestReading.Valid(submission.manifest()));
    }

    @Test
    void theFileOfALaterPhaseMayBeWrittenByThoseBefore() {
        String later = EACH.replace("phases: [", "phases: [{name: plan, task: dev}, ");

        assertThat(accepted(submit(manifest(later), SubmitOptions.NONE))).isNotNull();
    }

    @Test
    void badItemsFilesAreRefused() throws IOException {
        assertThat(refused(submit(manifest(EACH), SubmitOptions.NONE)))
                .containsExactly("phases[0].each.itemsFrom: there is no file " + project.resolve("items.json"));

        Files.writeString(project.resolve("items.json"), "{\"frames\": []}");
        assertThat(refused(submit(manifest(EACH), SubmitOptions.NONE)))
                .singleElement()
                .asString()
                .startsWith("phases[0].each.itemsFrom: expected the file to hold a list of items");

        Files.writeString(project.resolve("items.json"), "[{\"id\": \"f1\"}, {\"id\": \"f1\"}]");
        assertThat(refused(submit(manifest(EACH), SubmitOptions.NONE)))
                .singleElement()
                .asString()
                .startsWith("phases[0].each.items[1].id: the id \"f1\" is taken");
    }

    @Test
    void reportsEveryProblemWithItsPosition() throws IOException {
        Path items =
                Files.writeString(project.resolve("items.yaml"), "items:\n- id: f1\n- id: f2\n  dependsOn: [f3]\n");
        Files.writeString(project.resolve("broken.json"), "[{\"id\": \"f1\"},\n}");
        String text = """
                name: demo
                workspace: nowhere
                agents:
                  dev: {command: [no-such-program-here], prompt: none.md}
                phases:
                - {name: one, each: {itemsFrom: items.yaml, steps: [dev]}}
                - {name: two, each: {itemsFrom: broken.json, steps: [dev]}}
                - {name: three, each: {itemsFrom: none.json, steps: [dev]}}
                - name: four
                  loop: {steps: [dev], until: {command: no-such-program-either}}
                """;
        Map<String, String> overrides = new LinkedHashMap<>();
        overrides.put("phases.four.loop.maxIterations", "-1");
        overrides.put("budget", "{costUsd: 1, tokns: 2}");
        overrides.put("phases.five.name", "x");
        overrides.put("name", "a: b: c");

        assertThat(placed(submit(manifest(text), new SubmitOptions(Optional.empty(), Map.of("a b", "1"), overrides))))
                .extracting(line -> line.substring(0, line.indexOf(": ")))
                .containsExactly(
                        "--set phases.five.name",
                        "--set name",
                        "--set phases.four.loop.maxIterations",
                        "--set budget",
                        "vars[\"a b\"]",
                        "manifest.yaml:2:12",
                        items + ":4:15",
                        "manifest.yaml:4:50");
    }

    @Test
    void aWorkspaceOptionHasNoPositionInTheText() {
        assertThat(placed(submit(manifest("workspace: here\n" + MANIFEST), workspace(project.resolve("none")))))
                .containsExactly("workspace: there is no folder " + project.resolve("none") + "; create it");
    }

    @Test
    void aTextHasLinesAndATreeHasNone() {
        String text = MANIFEST.replace("loop:", "lop:");

        assertThat(problems(submitText(text, workspace(project))))
                .allMatch(problem -> problem.position().mark().isPresent());
        assertThat(problems(submitDocument(
                        accepted(submitText(MANIFEST, workspace(project))).document(), overriding("name", "''"))))
                .allMatch(problem -> problem.position().mark().isEmpty());
    }

    @Test
    void reportsAllProblemsAtOnce() {
        String text = """
                nam: demo
                workspace: nowhere
                agents:
                  dev: {command: [no-such-program-here], prompt: none.md, outptu: text}
                phases: [{name: build, task: nobody}]
                """;

        assertThat(refused(submit(manifest(text), overriding("phases.bild.task", "dev"))))
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactly(
                        "phases.bild.task",
                        "name",
                        "nam",
                        "agents.dev.outptu",
                        "phases[0].task",
                        "workspace",
                        "agents.dev.prompt");
    }

    @Test
    void nothingIsWritten() throws IOException {
        Path file = manifest(MANIFEST.replace("[./agent.sh]", "[./agent.sh], signal: a/b/c.json, cwd: new"));

        assertThat(accepted(submit(file, SubmitOptions.NONE)).manifest().agents())
                .hasSize(1);
        try (var files = Files.list(project)) {
            assertThat(files).containsExactlyInAnyOrder(file, program);
        }
    }
}
