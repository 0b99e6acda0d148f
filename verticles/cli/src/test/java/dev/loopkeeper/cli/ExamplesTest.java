package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.SmallRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    @TempDir
    Path folder;

    private Path examples;
    private Terminal terminal;

    @BeforeEach
    void copy() throws IOException {
        examples = folder.resolve("examples");
        Path original = Path.of("../../conf/examples");
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.filter(path -> !path.toString().contains(".loopkeeper"))
                    .toList()) {
                Files.copy(file, examples.resolve(original.relativize(file)));
            }
        }
        terminal = new Terminal(folder.resolve("data"));
    }

    @Test
    void theReportIsReallyImprovedEachTime() throws IOException {
        for (String runId : new String[] {"one", "two"}) {
            Terminal.CommandOutput result =
                    terminal.type("run", examples.resolve("improve-report.yaml").toString(), "--run-id", runId);
            assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
            assertThat(result.out()).contains("iteration 1: ", ", PROGRESS: ", "passed: iteration 5: SUCCESS");
        }
        Path work = examples.resolve("improve-report/.loopkeeper/work");
        assertThat(work.resolve("orders.csv"))
                .content()
                .contains("1003,threaded rod M6,12,1.75,21.00\n")
                .endsWith("total,,,,60.60\n");
        assertThat(work.resolve("findings.txt")).isEmptyFile();
        assertThat(examples.resolve("improve-report/orders.csv"))
                .hasSameTextualContentAs(Path.of("../../conf/examples/improve-report/orders.csv"));
    }

    @Test
    void itemsInParallelAreMergedAndOneMeetsAConflict() throws IOException {
        // As in a clone: the repository holds much else beside the example.
        SmallRepository.in(folder);
        Path work = examples.resolve("parallel-items/book");
        Terminal.CommandOutput result =
                terminal.type("run", examples.resolve("parallel-items.yaml").toString(), "--run-id", "fruit");
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(work).doesNotExist();

        assertThat(terminal.type("diff", "fruit").out()).contains("+- apples", "+- pears", "+# plums");
        assertThat(terminal.type("diff", "fruit", "pages.plums.write.1").out())
                .contains("+# plums")
                .doesNotContain("apples");
        assertThat(terminal.type("merge", "fruit", "--into", "other").exitCode())
                .isEqualTo(2);
        Terminal.CommandOutput merged = terminal.type("merge", "fruit");
        assertThat(merged.exitCode()).as(merged.err()).isZero();
        assertThat(merged.out()).contains("merged into main: 5 files");
        assertThat(work.resolve("contents.md")).content().contains("- apples\n", "- pears\n");
        List<String> attempts = new ArrayList<>();
        for (String fruit : new String[] {"apples", "pears", "plums", "quinces"}) {
            String page = Files.readString(work.resolve(fruit + ".md"));
            attempts.add(page.substring(page.indexOf("attempt ")).strip());
        }
        assertThat(attempts).containsExactlyInAnyOrder("attempt 1.", "attempt 1.", "attempt 1.", "attempt 2.");
        assertThat(terminal.type("merge", "fruit", "--json").out()).contains("\"already\" : true");
    }

    @ParameterizedTest
    @CsvSource({"claude-code, claude", "codex, codex", "gemini, gemini", "opencode, opencode", "two-models, claude"})
    void theOthersSayWhatIsMissing(String example, String program) {
        terminal.environment.put("PATH", "/usr/bin:/bin");
        assertThat(terminal.type("validate", examples.resolve(example + ".yaml").toString())
                        .err())
                .contains("there is no program " + program + " on the PATH");
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude-code", "codex", "gemini", "opencode", "two-models"})
    void theOthersAreValidWithoutAWarningWhereTheirProgramsAre(String example) throws IOException {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        for (String program : new String[] {"claude", "codex", "gemini", "opencode"}) {
            Path file = Files.writeString(programs.resolve(program), "#!/bin/sh\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        terminal.environment.put("PATH", programs + ":/usr/bin:/bin");
        Terminal.CommandOutput result =
                terminal.type("validate", examples.resolve(example + ".yaml").toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).doesNotContain("warning");
    }
}
