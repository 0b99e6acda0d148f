package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every problem says the line and column of what has to be changed. */
class ManifestPositionsTest {
    private static final String MANIFEST = """
            # what this is for
            name: demo

            agents:
              dev:
                command: [dev]
              judge: {command: ./judge.sh, signal: judge.json}
            phases:
              - name: build
                loop:
                  steps: [dev, judge]
            """;

    private static List<String> placed(String text) {
        return ManifestTexts.problems(text).stream()
                .map(problem -> problem.position().text("m") + " " + problem.path())
                .toList();
    }

    @Test
    void aBadValueIsWhereTheValueBegins() {
        assertThat(placed(MANIFEST.replace("[dev, judge]", "[dev, jugde]")))
                .containsExactly("m:11:20 phases[0].loop.steps[1]");
        assertThat(placed(MANIFEST.replace("name: demo", "name:   'a b'"))).containsExactly("m:2:9 name");
    }

    @Test
    void anUnknownKeyIsWhereTheKeyStands() {
        assertThat(placed(MANIFEST + "      maxIteratons: 5\n")).containsExactly("m:12:7 phases[0].loop.maxIteratons");
        assertThat(placed(MANIFEST + "\"no such key\":\n  - 1\n")).containsExactly("m:12:1 [\"no such key\"]");
        assertThat(placed(MANIFEST + "<<: {name: other}\n")).containsExactly("m:12:1 [\"<<\"]");
    }

    @Test
    void aBadNameOfAnEntryIsWhereTheNameStands() {
        assertThat(placed(MANIFEST.replace("  dev:\n", "  'd v':\n").replace("[dev, ", "[")))
                .containsExactly("m:5:3 agents[\"d v\"]");
        assertThat(placed(MANIFEST + "env: {A=B: 1}\n")).containsExactly("m:12:7 env[\"A=B\"]");
    }

    @Test
    void aMissingKeyIsWhereItsMapBegins() {
        assertThat(placed(MANIFEST.replace("name: demo\n", ""))).containsExactly("m:3:1 name");
        assertThat(placed(MANIFEST.replace("{command: ./judge.sh, ", "{")))
                .containsExactly("m:7:10 agents.judge.command");
        assertThat(placed(MANIFEST.replace("- name: build\n    loop", "- loop")))
                .containsExactly("m:9:5 phases[0].name");
    }

    @Test
    void whatAnAliasRepeatsIsWhereItIsWritten() {
        String text = MANIFEST.replace(
                        "{command: ./judge.sh, signal: judge.json}", "&agent {command: ./judge.sh, outptu: text}")
                .replace("phases:\n", "  third: *agent\nphases:\n");

        assertThat(placed(text)).containsExactly("m:7:39 agents.judge.outptu", "m:7:39 agents.third.outptu");
        assertThat(placed(MANIFEST.replace("[dev]", "&words [dev]") + "name: *words\n".replace("name", "workspace")))
                .containsExactly("m:12:12 workspace");
    }

    @Test
    void positionsAreThoseOfAnEditorForAnyLineEndAndCharacter() {
        assertThat(placed("\uFEFF" + MANIFEST.replace("\n", "\r\n").replace("name: demo", "nmae: demo")))
                .containsExactly("m:2:1 name", "m:2:1 nmae");
        assertThat(placed(MANIFEST + "vars: {\"\uD83D\uDE00é\": x}\n"))
                .containsExactly("m:12:8 vars[\"\uD83D\uDE00é\"]");
        assertThat(placed(MANIFEST + "env: {A: \"\uD83D\uDE00é\", B: []}\n")).containsExactly("m:12:19 env.B");
    }

    @Test
    void aJsonTextHasLinesToo() {
        assertThat(placed("{\n\t\"name\": \"demo\",\n\t\"agents\": {\"dev\": {\"command\": [\"dev\"]}},\n"
                        + "\t\"phases\": [{\"name\": \"build\", \"task\": 7}],\n\t\"extra\": null\n}"))
                .containsExactly("m:4:39 phases[0].task", "m:5:2 extra");
    }

    @Test
    void aDocumentWithoutContentBeginsInTheFirstLine() {
        for (String text : List.of("", "\n\n", "# nothing\n", "---\n")) {
            assertThat(placed(text)).as(text).singleElement().asString().startsWith("m:");
        }
        assertThat(placed("- a\n")).containsExactly("m:1:1 ");
    }

    @Test
    void aTreeHasNoLines() {
        DocumentReading.Parsed parsed = (DocumentReading.Parsed) ManifestText.parse("nmae: demo");

        ManifestReading reading = ManifestReader.read(parsed.document());

        assertThat(((ManifestReading.Invalid) reading).problems())
                .extracting(ManifestProblem::position)
                .containsOnly(SourcePosition.UNKNOWN);
        assertThat(((ManifestReading.Invalid) reading).problems())
                .extracting(problem -> problem.json().has("line"))
                .containsOnly(false);
    }

    @Test
    void whatWasWrittenElsewhereSaysSo() {
        SourceMap sources = ((DocumentReading.Parsed) ManifestText.parse(MANIFEST)).sources();
        sources.put(List.of("phases", "0", "loop", "steps"), SourceMap.at(SourcePosition.ofOption("--set x")));
        sources.put(List.of("budget", "costUsd"), SourceMap.at(SourcePosition.ofOption("--set y")));

        assertThat(sources.find("phases[0].loop.steps[1]").value().text("m")).isEqualTo("--set x");
        assertThat(sources.find("phases[0].loop.until").value().text("m")).isEqualTo("m:11:7");
        assertThat(sources.find("budget").value().text("m")).isEqualTo("--set y");
        assertThat(sources.find("retry").value().text("m")).isEqualTo("m:2:1");
    }

    @Test
    void whatIsSetInOneAliasIsNotSetInTheOthers() {
        SourceMap sources = ((DocumentReading.Parsed) ManifestText.parse("a: &x {k: [1]}\nb: *x\nc: *x\n")).sources();

        sources.put(List.of("b", "k", "0"), SourceMap.at(SourcePosition.ofOption("--set b.k[0]")));

        assertThat(sources.find("b.k[0]").value().text("m")).isEqualTo("--set b.k[0]");
        assertThat(sources.find("a.k[0]").value().text("m")).isEqualTo("m:1:12");
        assertThat(sources.find("c.k[0]").value().text("m")).isEqualTo("m:1:12");
        assertThat(sources.find("c").value().text("m")).isEqualTo("m:3:4");
    }

    @Test
    void aProblemIsOneLineForPeopleAndOneObjectForPrograms() {
        ManifestProblem inFile = new ManifestProblem(
                "phases[0].each.items[1].id",
                new SourcePosition(Optional.of("/p/items.json"), Optional.of(new SourcePosition.Mark(3, 9))),
                "the id \"f1\" is taken",
                Optional.of("f2"));
        assertThat(inFile.text("m.yaml"))
                .isEqualTo("/p/items.json:3:9: phases[0].each.items[1].id: the id \"f1\" is taken (did you mean f2?)");
        assertThat(inFile.json())
                .hasToString(
                        "{\"path\":\"phases[0].each.items[1].id\",\"source\":\"/p/items.json\",\"line\":3,\"column\":9,"
                                + "\"message\":\"the id \\\"f1\\\" is taken\",\"suggestion\":\"f2\"}");
        ManifestProblem inOption = new ManifestProblem(
                "budget.costUsd",
                SourcePosition.ofOption("--set budget.costUsd"),
                "expected a number",
                Optional.empty());
        assertThat(inOption.text("m.yaml")).isEqualTo("--set budget.costUsd: expected a number");
        assertThat(inOption.json())
                .hasToString(
                        "{\"path\":\"budget.costUsd\",\"source\":\"--set budget.costUsd\",\"message\":\"expected a number\"}");
        assertThat(ManifestProblem.at("", "there is no file /x").text("m.yaml")).isEqualTo("there is no file /x");
    }
}
