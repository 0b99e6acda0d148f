package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run moves from one data folder to another as one file. */
class BundleCommandsTest {
    private static final String SILENT = "{command: 'echo hi', signal: none.json}";

    @TempDir
    private Path folder;

    private Terminal here;
    private Terminal there;
    private Path bundle;

    @BeforeEach
    void open() {
        here = new Terminal(folder.resolve("here"));
        there = new Terminal(folder.resolve("there"));
        bundle = folder.resolve("r.zip");
    }

    private void exportRun(String agent) throws IOException {
        Path manifest = folder.resolve("m.yaml");
        Files.writeString(
                manifest, "name: x\nagents: {dev: " + agent + "}\nphases: [{name: p, loop: {steps: [dev]}}]\n");
        assertThat(here.type("run", manifest.toString(), "--run-id", "r").exitCode())
                .isPositive();
        Terminal.CommandOutput result = here.type("export", "r", bundle.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private void assertRefused(String why) throws IOException {
        Terminal.CommandOutput result = there.type("import", bundle.toString());
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(2);
        assertThat(result.err()).contains(why);
        assertThat(there.type("runs", "--json").json().path("runs")).isEmpty();
        Path runs = folder.resolve("there/runs");
        if (Files.exists(runs)) {
            try (Stream<Path> left = Files.list(runs)) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void anEndedRunIsTheSameInTheOtherPlace() throws IOException {
        exportRun("{command: 'echo hi; exit 1'}");

        Terminal.CommandOutput result = there.type("import", bundle.toString());

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("imported run r; its status is stopped");
        assertThat(there.type("show", "r", "--json").json())
                .isEqualTo(here.type("show", "r", "--json").json());
        assertThat(there.type("explain", "r", "--json").json())
                .isEqualTo(here.type("explain", "r", "--json").json());
        assertThat(there.type("logs", "r").out()).startsWith("hi\n");
        assertThat(folder.resolve("there/runs/r/checkpoint.json")).content().contains("\"runId\" : \"r\"");
        assertThat(Files.getPosixFilePermissions(bundle)).hasSize(2);
    }

    @Test
    void theContextOfEachLaunchIsInTheBundle() throws IOException {
        exportRun("{command: 'cp $LOOPKEEPER_CONTEXT_FILE seen.$LOOPKEEPER_ITERATION; exit 1'}");
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            for (int iteration = 1; iteration <= 3; iteration++) {
                String entry = "files/steps/p." + iteration + ".dev.1/context.json";
                try (InputStream context = zip.getInputStream(zip.getEntry(entry))) {
                    assertThat(folder.resolve("seen." + iteration)).hasBinaryContent(context.readAllBytes());
                }
            }
        }
    }

    @Test
    void aPausedRunWaitsThereUntilItIsResumed() throws IOException {
        exportRun(SILENT);
        assertThat(there.type("import", bundle.toString(), "--json")
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("paused");

        Terminal.CommandOutput stopped = there.type("resume", "r", "stop_loop_now");

        assertThat(stopped.out()).as(stopped.err()).contains("r is");
        assertThat(here.type("show", "r", "--json").json().path("status").asText())
                .isEqualTo("paused");
    }

    @Test
    void aRunIsTakenInOnce() throws IOException {
        exportRun(SILENT);
        assertThat(there.type("import", bundle.toString()).exitCode()).isZero();
        Terminal.CommandOutput again = there.type("import", bundle.toString());
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).contains("run r is already in this data folder; nothing was imported");
        assertThat(here.type("import", bundle.toString()).exitCode()).isEqualTo(2);
        assertThat(there.type("logs", "r").out()).isEqualTo("hi\n");
    }

    @Test
    void aFileThatExistsIsNotReplacedAndAnUnknownRunNotFound() throws IOException {
        exportRun(SILENT);
        byte[] before = Files.readAllBytes(bundle);
        Terminal.CommandOutput again = here.type("export", "r", bundle.toString());
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).contains("exists");
        assertThat(bundle).hasBinaryContent(before);
        assertThat(here.type("export", "unknown").exitCode()).isEqualTo(7);
    }

    @Test
    void aBundleOfANewerFormatIsRefused() throws IOException {
        exportRun(SILENT);
        Bundles changed = new Bundles(bundle);
        changed.manifest(changed.manifest().put("formatVersion", 2));
        changed.write(bundle);
        assertRefused("a bundle of format 2");
    }

    @Test
    void anIdThatIsNoFoldersNameIsARefusalAndNoBreakdown() throws IOException {
        exportRun(SILENT);
        for (String runId : new String[] {"../../evil", "a/b", "..", "."}) {
            Bundles changed = new Bundles(bundle);
            changed.manifest(changed.manifest().put("runId", runId));
            changed.write(bundle);
            assertRefused("cannot be imported: not a run id: " + runId);
        }
    }

    @Test
    void damageIsFoundAtEveryCutAndInEveryEntry() throws IOException {
        exportRun(SILENT);
        byte[] sound = Files.readAllBytes(bundle);
        for (int length : new int[] {0, 1, sound.length / 3, sound.length - 30, sound.length - 1}) {
            Files.write(bundle, Arrays.copyOf(sound, length));
            assertRefused("cannot be imported");
        }
        Files.write(bundle, sound);
        for (String name : new Bundles(bundle).entries.keySet()) {
            if (!name.equals("manifest.json")) {
                Bundles changed = new Bundles(bundle);
                changed.entries.merge(name, " ", String::concat);
                Files.delete(bundle);
                changed.write(bundle);
                assertRefused(name + " is damaged");
                Files.write(bundle, sound);
            }
        }
    }

    @Test
    void entriesThatAreMissingOrUnlistedAreRefused() throws IOException {
        exportRun(SILENT);
        Bundles missing = new Bundles(bundle);
        missing.entries.remove("files/steps/p.1.dev.1/stdout.log");
        missing.write(bundle);
        assertRefused("differ from the list in its manifest");
        Bundles more = new Bundles(bundle);
        more.entries.put("files/more", "x");
        more.write(bundle);
        assertRefused("differ from the list in its manifest");
    }

    @Test
    void noNameLeadsOutOfTheFolder() throws Exception {
        exportRun(SILENT);
        byte[] sound = Files.readAllBytes(bundle);
        for (String name : new String[] {
            "files/../../evil",
            "/files/evil",
            "files//evil",
            "files/",
            "evil",
            "files/a\\..\\evil",
            "files/./evil",
            "../x"
        }) {
            Files.write(bundle, sound);
            Bundles changed = new Bundles(bundle);
            changed.entries.put(name, "evil");
            changed.rewriteList();
            changed.write(bundle);
            assertRefused("forbidden name");
        }
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all).noneMatch(path -> path.endsWith("evil"));
        }
    }

    @Test
    void aLengthThatIsALieIsFoundBeforeTheDiskIsFull() throws Exception {
        exportRun(SILENT);
        Bundles changed = new Bundles(bundle);
        changed.entries.put("files/bomb", "0".repeat(10_000_000));
        changed.rewriteList();
        ObjectNode manifest = changed.manifest();
        ((ObjectNode) manifest.path("entries").path(manifest.path("entries").size() - 1)).put("bytes", 10);
        changed.manifest(manifest);
        changed.write(bundle);
        assertRefused("files/bomb is damaged");
        manifest.withArray("entries").forEach(entry -> ((ObjectNode) entry).put("bytes", Long.MAX_VALUE / 2));
        changed.manifest(manifest);
        changed.write(bundle);
        assertRefused("larger than the limit");
    }

    @Test
    void aHistoryThatEndsUnderWayOrHasAGapIsRefused() throws Exception {
        exportRun(SILENT);
        byte[] sound = Files.readAllBytes(bundle);
        Bundles open = new Bundles(bundle);
        String[] lines = open.entries.get("events.jsonl").split("\n");
        open.entries.put("events.jsonl", String.join("\n", Arrays.copyOf(lines, 4)) + "\n");
        open.rewriteList();
        open.manifest(open.manifest().put("sequence", 4));
        open.write(bundle);
        assertRefused("the run is running");
        Files.write(bundle, sound);
        Bundles gap = new Bundles(bundle);
        gap.entries.put("events.jsonl", gap.entries.get("events.jsonl").replace(lines[2] + "\n", ""));
        gap.rewriteList();
        gap.write(bundle);
        assertRefused("event 3 of the bundle is missing");
    }
}
