package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.data.StepToken;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.process.tree.StepEnvironment;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares {@code docs/what-your-agent-gets.md} with what agents get. */
class WhatAgentsGetTest {
    private static final Path PAGE = Path.of("../../docs/what-your-agent-gets.md");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^\\| `(LOOPKEEPER_[A-Z_]+)` \\|");
    private static final Pattern NAME = Pattern.compile("`\\{\\{([A-Za-z.]+)\\}\\}`");
    private static final Pattern KIND = Pattern.compile("(?m)^\\| `([a-z]+(?:-[a-z]+)?)` \\|");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```json\n(.*?)```");

    private final StepSpec step = new Steps(Path.of("/workspace"), "none").build();

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    @Test
    void itNamesEveryVariable() throws IOException {
        Map<String, String> environment = new HashMap<>();
        StepEnvironment.layOver(environment, step, Path.of("/context.json"), Path.of("/signal"));
        Set<String> given = environment.keySet().stream()
                .filter(name -> name.startsWith("LOOPKEEPER_"))
                .collect(Collectors.toCollection(HashSet::new));
        given.add(StepEnvironment.DATA);
        given.add(StepToken.VARIABLE);
        given.add("LOOPKEEPER_NONCE");

        assertThat(found(VARIABLE, page())).containsExactlyInAnyOrderElementsOf(given);
    }

    @Test
    void itNamesEveryNameOfAPrompt() throws IOException {
        Set<String> documented = new TreeSet<>(found(NAME, page()));
        documented.remove("name");
        Set<String> values = new TreeSet<>(
                StepEnvironment.values(step, Path.of("/context.json")).keySet());
        values.removeIf(name -> name.startsWith("vars."));

        assertThat(values).isEqualTo(new TreeSet<>(TemplateNames.PROMPT));
        documented.remove("vars.NAME");
        assertThat(documented).isEqualTo(values);
    }

    @Test
    void itListsTheKindsInTheirOrder() throws IOException {
        String page = page();
        String table = page.substring(page.indexOf("| `failure.kind` |"), page.indexOf("## The signal to leave"));

        assertThat(found(KIND, table)).containsExactlyElementsOf(WireName.all(FailureKind.class));
    }

    @Test
    void itsExampleIsAContext() throws IOException {
        String example = EXAMPLE.matcher(page())
                .results()
                .findFirst()
                .map((MatchResult match) -> match.group(1))
                .orElseThrow();
        JsonNode written = Json.MAPPER.readTree(example);
        ObjectNode read = Json.MAPPER.valueToTree(Json.MAPPER.treeToValue(written, LaunchContext.class));

        assertThat(read).isEqualTo(written);
    }
}
