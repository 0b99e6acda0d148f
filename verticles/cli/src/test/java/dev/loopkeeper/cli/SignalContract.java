package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.verdict.SignalDraft;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code loopkeeper signal} and the program {@code $LOOPKEEPER_SIGNAL} have in common. */
abstract class SignalContract {
    private static final int LARGE = 100_000;
    /** Work that grows with the square of the length takes longer, however fast the machine. */
    private static final Duration LINEAR = Duration.ofSeconds(30);

    @TempDir
    Path workspace;

    final Map<String, String> environment = new HashMap<>();
    Path file;

    /** What one call left behind. */
    record CallResult(int exitCode, String err) {}

    abstract CallResult signal(String... words) throws Exception;

    @BeforeEach
    void aStep() {
        file = workspace.resolve(".loopkeeper/dev.json");
        environment.put("LOOPKEEPER_NONCE", "nonce \"1\"");
        environment.put("LOOPKEEPER_ATTEMPT", "1");
        environment.put("LOOPKEEPER_ITERATION", "");
        environment.put("LOOPKEEPER_SIGNAL_FILE", file.toString());
    }

    /** The signal, which alone lies in its folder. */
    JsonNode written() throws IOException {
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
        return Json.MAPPER.readTree(Files.readAllBytes(file));
    }

    private void accepted(String json, String... words) throws Exception {
        assertThat(signal(words)).isEqualTo(new CallResult(0, ""));
        ObjectNode expected = (ObjectNode) Json.MAPPER.readTree(json);
        assertThat(written()).isEqualTo(expected.put("nonce", environment.get("LOOPKEEPER_NONCE")));
    }

    void refused(String message, String... words) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "before");
        CallResult result = signal(words);
        assertThat(result.err()).contains(message);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(file).hasContent("before");
    }

    @Test
    void eachOptionSetsItsField() throws Exception {
        accepted(
                """
                {"determination": "PROGRESS", "verdict": "approved", "status": "completed", "keyConcern": "the header"}""",
                "--determination",
                "PROGRESS",
                "--verdict=approved",
                "--concern",
                "the header",
                "--status",
                "completed");
    }

    @Test
    void aQuestionAsksAPersonAndIsAPartWhereNothingElseDecides() throws Exception {
        accepted("""
                {"userInputNeeded": true, "questions": ["Which port?", "Which host?"], "status": "partial"}""", "--question", "Which port?", "--question=Which host?");
        accepted("""
                {"userInputNeeded": true, "questions": [""], "status": "partial", "keyConcern": "c"}""", "--question", "", "--concern", "c");
        accepted("""
                {"userInputNeeded": true, "questions": ["q"], "verdict": "rejected"}""", "--question", "q", "--verdict", "rejected");
    }

    static List<String> oddTexts() {
        String controls = IntStream.concat(IntStream.range(1, ' '), IntStream.of(0x7f))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        List<String> texts = new ArrayList<>(List.of(
                "",
                " ",
                "a \"quoted\" \\ word",
                "\\",
                "\"",
                "\n",
                "\n\n",
                "two\nlines\n",
                "\r\n",
                "\t",
                controls,
                "-",
                "--",
                "-header is lost",
                "--concern",
                "--determination",
                "--help",
                "a=b",
                "@pom.xml",
                "it's",
                "$(id) `id` $HOME ${x} *",
                "%s %n \\n \\u0041",
                "&",
                "/",
                ".",
                "größe € \ud83d\ude00 \u2028"));
        Stream.of("\"", "\\", "\n", "\u0001", "ä", "x y\n\"")
                .map(text -> text.repeat(LARGE / text.length() + 1).substring(0, LARGE / (text.equals("ä") ? 2 : 1)))
                .forEach(texts::add);
        return texts;
    }

    @ParameterizedTest
    @MethodSource("oddTexts")
    void aTextArrivesAsItWasGiven(String text) throws Exception {
        CallResult result = assertTimeout(LINEAR, () -> signal("--status", "blocked", "--concern", text));
        assertThat(result).isEqualTo(new CallResult(0, ""));
        assertThat(written().path("keyConcern").textValue().equals(text)).isTrue();

        result = assertTimeout(LINEAR, () -> signal("--question=" + text));
        assertThat(result).isEqualTo(new CallResult(0, ""));
        assertThat(written().path("questions").path(0).textValue().equals(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "DONE", "success", " SUCCESS", "SUCCESS\n", "*", "\u001b[31m", "'", "--status"})
    void aWrongValueIsNamedWithItsFieldAndTheAllowedOnes(String value) throws Exception {
        for (SignalOption option : SignalOption.values()) {
            if (!option.allowed().isEmpty()) {
                String shown = Json.MAPPER.writeValueAsString(value);
                refused(
                        "loopkeeper: no signal was written: " + option.field() + " must be one of "
                                + String.join(", ", option.allowed()) + ", but is " + shown + "\n",
                        option.word(),
                        value);
            }
        }
    }

    @Test
    void aLongWrongValueIsCut() throws Exception {
        refused("but is \"" + "x".repeat(78) + "…\n", "--status", "x".repeat(LARGE));
        refused("…\n", "--status", "ö".repeat(LARGE / 2));
    }

    /** The reader itself says what each combination is worth. */
    @Test
    void everyCombinationIsJudgedAsByTheReader() throws Exception {
        SignalExpectation any = new SignalExpectation("nonce \"1\"", 1, Optional.empty());
        for (Map<SignalOption, List<String>> choices : combinations()) {
            String[] words = choices.entrySet().stream()
                    .flatMap(choice ->
                            Stream.of(choice.getKey().word(), choice.getValue().get(0)))
                    .toArray(String[]::new);
            if (SignalDraft.of(choices, any) instanceof SignalDraft.Accepted accepted) {
                assertThat(signal(words)).as("%s", choices).isEqualTo(new CallResult(0, ""));
                assertThat(written()).isEqualTo(Json.MAPPER.readTree(accepted.content()));
            } else if (SignalDraft.of(choices, any) instanceof SignalDraft.Refused refused) {
                refused("loopkeeper: no signal was written: " + refused.message() + "\n", words);
            }
        }
    }

    private static List<Map<SignalOption, List<String>>> combinations() {
        List<Map<SignalOption, List<String>>> all = new ArrayList<>(List.of(Map.of()));
        for (SignalOption option : SignalOption.values()) {
            for (Map<SignalOption, List<String>> before : List.copyOf(all)) {
                for (String value : option.allowed()) {
                    Map<SignalOption, List<String>> more = new EnumMap<>(SignalOption.class);
                    more.putAll(before);
                    more.put(option, List.of(value));
                    all.add(more);
                }
            }
        }
        assertThat(all).hasSizeGreaterThan(90);
        return all;
    }

    @Test
    void wrongUseIsRefused() throws Exception {
        refused("none of status, determination, verdict", "--concern", "only that");
        refused("--status", "--status");
        refused("--verbose", "--verbose", "--status", "completed");
        refused("--status", "--status", "completed", "--status", "completed");
        refused(
                "larger than 1048576 bytes",
                "--question",
                "\u0001".repeat(LARGE),
                "--question",
                "\u0001".repeat(LARGE));
    }

    @Test
    void outsideOfAStepThereIsNothingToWrite() throws Exception {
        environment.put("LOOPKEEPER_SIGNAL_FILE", "");
        refused("declares no signal file", "--status", "completed");
        environment.remove("LOOPKEEPER_SIGNAL_FILE");
        refused("this is not a step", "--status", "completed");
        environment.put("LOOPKEEPER_SIGNAL_FILE", file.toString());
        environment.remove("LOOPKEEPER_NONCE");
        refused("this is not a step", "--status", "completed");
    }

    @Test
    void aFileThatIsThereIsReplacedAndALinkIsNotFollowed() throws Exception {
        Path elsewhere = Files.writeString(workspace.resolve("elsewhere.json"), "before");
        Files.createDirectories(file.getParent());
        Files.createSymbolicLink(file, elsewhere);

        accepted("{\"status\": \"completed\"}", "--status", "completed");

        assertThat(file).isRegularFile();
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(elsewhere).hasContent("before");
    }

    @Test
    void whatCannotBeWrittenIsNamed() throws Exception {
        Files.createDirectories(file.resolve("inside"));
        // Nothing can be made in /proc, by root neither.
        for (Path unusable : List.of(file, Path.of("/proc/dev.json"), Path.of("/dev/null/folder/dev.json"))) {
            environment.put("LOOPKEEPER_SIGNAL_FILE", unusable.toString());
            CallResult result = signal("--status", "completed");
            assertThat(result.err()).contains("signal file " + unusable + " cannot be written");
            assertThat(result.exitCode()).isEqualTo(1);
        }
        try (Stream<Path> files = Files.walk(workspace)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }
}
