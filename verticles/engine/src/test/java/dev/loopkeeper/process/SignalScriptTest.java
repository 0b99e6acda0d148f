package dev.loopkeeper.process;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalOption;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.verdict.SignalStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps {@code signal.sh}, the program that {@code $LOOPKEEPER_SIGNAL} names, and the reader of signals the same. Options
 * and values are those of {@link SignalOption}; which of them contradict each other, and in which words, is asked of
 * {@link SignalReader}.
 */
class SignalScriptTest {
    private static final Path FILE = Path.of("src/main/resources/dev/loopkeeper/process/signal.sh");
    private static final Path TEMPLATE = Path.of("src/test/resources/dev/loopkeeper/process/signal-template.sh");

    private static final SignalExpectation ANY = new SignalExpectation("", Optional.empty(), Optional.empty());
    private static final List<SignalOption> CHOICES = Stream.of(SignalOption.values())
            .filter(option -> !option.allowed().isEmpty())
            .toList();
    private static final int SPACE = 0x20;
    private static final int DELETE = 0x7f;

    /** Sequences of UTF-8 as an extended regular expression, in the octal escapes of printf. */
    private static final String BEYOND_ASCII = String.join(
            "|",
            "[\\302-\\337][\\200-\\277]",
            "\\340[\\240-\\277][\\200-\\277]",
            "[\\341-\\354\\356\\357][\\200-\\277][\\200-\\277]",
            "\\355[\\200-\\237][\\200-\\277]",
            "\\360[\\220-\\277][\\200-\\277][\\200-\\277]",
            "[\\361-\\363][\\200-\\277][\\200-\\277][\\200-\\277]",
            "\\364[\\200-\\217][\\200-\\277][\\200-\\277]");

    @Test
    void theScriptHasTheOptionsAndTheRefusalsOfTheReader() throws IOException {
        String text = text();
        if (Boolean.getBoolean("loopkeeper.write")) {
            Files.writeString(FILE, text);
        }
        assertThat(Files.readString(FILE))
                .as("%s; run this test with -Dloopkeeper.write=true to write it", FILE)
                .isEqualTo(text);
    }

    private static String text() throws IOException {
        String template = Files.readString(TEMPLATE);
        Map<String, String> values = Map.ofEntries(
                Map.entry("@FIELDS@", fields()),
                Map.entry("@USAGE@", usage()),
                Map.entry("@ESCAPES@", quoted(escapes())),
                Map.entry("@OPTIONS@", each(SignalScriptTest::branch)),
                Map.entry(
                        "@WORDS@",
                        Stream.of(SignalOption.values()).map(SignalOption::word).collect(joining(" | "))),
                Map.entry("@OUTSIDE@", quoted(SignalStep.OUTSIDE)),
                Map.entry("@UNDECLARED@", quoted(SignalStep.UNDECLARED)),
                Map.entry("@CHOICES@", chosen()),
                Map.entry("@CONTRADICTIONS@", String.join("\n", contradictions())),
                Map.entry("@UNDECIDED@", quoted(refusal(Map.of()).orElseThrow())),
                Map.entry("@QUESTIONS@", SignalOption.QUESTION.field()),
                Map.entry("@MAX_BYTES@", Integer.toString(SignalReader.MAX_BYTES)),
                Map.entry("@TOO_LARGE@", quoted(tooLarge())));
        String text = template;
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace(value.getKey(), value.getValue());
        }
        return text;
    }

    private static String fields() {
        return Stream.of(SignalOption.values())
                .filter(option -> !option.repeats())
                .map(SignalOption::field)
                .collect(joining(" "));
    }

    private static String usage() {
        List<String> lines = new ArrayList<>(List.of(
                "Writes the signal of this step, which says what came of the work.",
                "usage: \"$LOOPKEEPER_SIGNAL\" OPTION VALUE ..."));
        for (SignalOption option : SignalOption.values()) {
            String values = option.allowed().isEmpty() ? "TEXT" : String.join("|", option.allowed());
            lines.add("  " + option.word() + " " + values);
            lines.add("      " + option.meaning() + ".");
        }
        return lines.stream().map(SignalScriptTest::quoted).collect(joining(" \\\n        "));
    }

    /** A branch of the script's {@code case} that adds the option's field. */
    private static String branch(SignalOption option) {
        List<String> lines = new ArrayList<>();
        if (option.repeats()) {
            lines.add("quote \"$value\"");
            lines.add("questions=${questions:+$questions,}$json");
        } else {
            lines.add("once \"${" + option.field() + "+given}\"");
            lines.addAll(option.allowed().isEmpty() ? List.of("quote \"$value\"") : choice(option));
            lines.add(option.field() + "=$value");
            lines.add("fields=\"$fields,\\\"" + option.field() + "\\\":$json\"");
        }
        return "        " + option.word() + ")\n"
                + lines.stream().map(line -> "            " + line + "\n").collect(joining())
                + "            ;;";
    }

    private static List<String> choice(SignalOption option) {
        String values = option.allowed().stream().map(SignalScriptTest::quoted).collect(joining(" | "));
        return List.of(
                "case $value in",
                "    " + values + ") ;;",
                "    *) not_one_of " + option.field() + " " + quoted(String.join(", ", option.allowed())) + " ;;",
                "esac",
                "decided=yes",
                "json=\"\\\"$value\\\"\"");
    }

    /** A word of the script that has the value of each choice, empty where it is not made. */
    private static String chosen() {
        return CHOICES.stream().map(option -> "${" + option.field() + "-}").collect(joining("/", "\"", "\""));
    }

    /** Branches of a {@code case} of {@link #chosen}. All contradictions are between two choices. */
    private static List<String> contradictions() {
        List<String> branches = new ArrayList<>();
        for (SignalOption one : CHOICES) {
            for (SignalOption other : CHOICES.subList(CHOICES.indexOf(one) + 1, CHOICES.size())) {
                for (String value : one.allowed()) {
                    for (String second : other.allowed()) {
                        Map<SignalOption, String> both = Map.of(one, value, other, second);
                        refusal(both).ifPresent(why -> branches.add(branch(both, why)));
                    }
                }
            }
        }
        return branches;
    }

    private static String branch(Map<SignalOption, String> choices, String why) {
        String pattern = CHOICES.stream()
                .map(option -> choices.getOrDefault(option, "*"))
                .collect(joining("/"));
        return "    " + pattern + ") refuse " + quoted(why) + " ;;";
    }

    private static Optional<String> refusal(Map<SignalOption, String> choices) {
        ObjectNode signal = JsonNodeFactory.instance.objectNode();
        choices.forEach((option, value) -> signal.put(option.field(), value));
        return refusal(signal.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<String> refusal(byte[] content) {
        return SignalReader.read(Optional.of(content), ANY) instanceof SignalReading.Invalid invalid
                ? Optional.of(invalid.message())
                : Optional.empty();
    }

    private static String tooLarge() {
        return refusal(new byte[SignalReader.MAX_BYTES + 1]).orElseThrow();
    }

    /**
     * The sed commands for each line of a value, as a format of printf. They first escape quotes, backslashes and
     * control characters. Then they put a mark behind each character beyond ASCII, and in place of each byte that is not
     * part of a character. The marks of characters are removed, and the other marks become U+FFFD.
     */
    private static String escapes() {
        List<String> commands = new ArrayList<>();
        commands.add("s/[\"\\\\\\\\]/\\\\\\\\&/g");
        IntStream.concat(IntStream.range(1, SPACE), IntStream.of(DELETE))
                .filter(control -> control != '\n')
                .mapToObj(control -> String.format("s/\\%03o/\\\\\\\\u%04X/g", control, control))
                .forEach(commands::add);
        commands.add("s/(" + BEYOND_ASCII + ")|[\\200-\\377]/\\\\1\\001/g");
        commands.add("s/([\\200-\\377])\\001/\\\\1/g");
        commands.add("s/\\001/\\\\\\\\uFFFD/g");
        commands.add("$!s/$/\\\\\\\\n/");
        return String.join("\\n", commands);
    }

    private static String each(Function<SignalOption, String> text) {
        return Stream.of(SignalOption.values()).map(text).collect(joining("\n"));
    }

    /** One word of a shell. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
