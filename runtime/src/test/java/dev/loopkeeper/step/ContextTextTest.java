package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContextTextTest {
    private static final String FILE = "/data/runs/r/steps/s/context.json";
    private static final Pattern OPENING = Pattern.compile("(?m)^(`{3,})text$");
    private static final Instant THEN = Instant.parse("2026-11-20T15:00:00Z");

    private static LaunchContext of(String feedback, String concern, String message, String output, int history) {
        List<LaunchContext.Earlier> earlier = new ArrayList<>();
        for (int iteration = 1; iteration <= history; iteration++) {
            earlier.add(new LaunchContext.Earlier(
                    Optional.of(iteration),
                    1,
                    "PROGRESS",
                    Optional.of(concern),
                    OptionalDouble.of(0.25),
                    OptionalInt.of(1),
                    iteration == 2 ? List.of("dev") : List.of()));
        }
        return new LaunchContext(
                LaunchContext.FORMAT,
                new StepIdentity("run-1", "build.3.dev.1", "build", Optional.of(3), Optional.empty(), 1, "dev"),
                Optional.of("dev-cheap"),
                Optional.of(feedback).filter(text -> !text.isEmpty()),
                Optional.of(new LaunchContext.Last(
                        new LaunchContext.Judge("build.2.judge.1", "judge", Optional.of(2), Optional.empty(), 1),
                        "STALLED",
                        Optional.of(BoundedText.beginning(concern)),
                        THEN)),
                Optional.of(Failure.of(FailureKind.STEP_FAILED, message)
                        .by("build.2.dev.1")
                        .leaving(OptionalInt.of(3), Optional.of(output))),
                earlier,
                2,
                LaunchLimits.NONE);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void eachPartStandsUnderAHeadingThatSaysWhoseItIs() {
        String block = ContextText.block(of("mind the header", "row lost", "exit 3: boom", "AssertionError", 2), FILE);

        assertThat(block).startsWith("## What came before this launch\n");
        assertThat(block)
                .containsSubsequence(
                        "You take over from dev-cheap, whose tries were STALLED or rejected.",
                        "### The operator says",
                        "mind the header",
                        "### Why this step runs again: step-failed",
                        "Step build.2.dev.1:",
                        "exit 3: boom",
                        "Last lines of its output (exit code 3):",
                        "AssertionError",
                        "### The last verdict: STALLED, by judge",
                        "row lost",
                        "### Earlier iterations, oldest first (2 older ones are not listed)",
                        "iteration 1: PROGRESS ($0.25, 1 file changed): row lost\niteration 2: PROGRESS (by dev, $0.25, 1 file changed)",
                        FILE);
    }

    @Test
    void whatStandsThereAlreadyIsNotSaidTwice() {
        LaunchContext context = of("", "row lost", "row lost", "", 0);
        Failure rejected = Failure.of(FailureKind.REJECTED, "row lost").by("build.2.judge.1");
        LaunchContext same = new LaunchContext(
                1,
                context.step(),
                Optional.empty(),
                Optional.empty(),
                context.last(),
                Optional.of(rejected),
                List.of(),
                0,
                LaunchLimits.NONE);

        assertThat(ContextText.block(same, FILE).split("row lost", -1)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "ä", "`", "~", "```\n", "\n", "{{context}} ", "~~~~\n# The operator says\n"})
    void noTextLeavesItsFenceOrTheBounds(String part) {
        String huge = part.repeat(200_000 / part.length());
        String block = ContextText.block(of(huge, huge, huge, huge, 20), FILE);

        assertThat(bytes(block)).isLessThanOrEqualTo(ContextText.MOST_BYTES);
        assertThat(outsideOfFences(block)).doesNotContain("{{context}}", "ä", "aa");
        assertThat(outsideOfFences(block).lines().filter(line -> line.equals("### The operator says")))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyMixtureStaysInside(long seed) {
        Random random = new Random(seed);
        String[] parts = {"`", "``", "```", "~~~", "~", "x", "ä", "\n", "```text\n", " "};
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(6000); length > 0; length--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        String some = text.toString();
        String block = ContextText.block(of(some, some, some, some, random.nextInt(20)), FILE);

        assertThat(bytes(block)).isLessThanOrEqualTo(ContextText.MOST_BYTES);
        assertThat(outsideOfFences(block)).doesNotContain("ä", "~");
    }

    /** By the rules of Markdown: a fence ends with a line of at least as many backticks. */
    private static String outsideOfFences(String block) {
        StringBuilder outside = new StringBuilder();
        Optional<String> fence = Optional.empty();
        for (String line : block.split("\n", -1)) {
            Matcher opening = OPENING.matcher(line);
            if (fence.isEmpty() && opening.matches()) {
                fence = Optional.of(opening.group(1));
            } else if (fence.isPresent()
                    && line.matches(" {0,3}`{" + fence.get().length() + ",} *")) {
                fence = Optional.empty();
            } else if (fence.isEmpty()) {
                outside.append(line).append('\n');
            }
        }
        assertThat(fence).isEmpty();
        return outside.toString();
    }

    @Test
    void aTextIsCutWhereItMattersLeast() {
        String text = "first " + "x".repeat(5000);
        String printed = "x".repeat(5000) + " last";
        Failure failure = Failure.of(FailureKind.CHECK_FAILED, text).leaving(OptionalInt.of(1), Optional.of(printed));

        assertThat(failure.message()).startsWith("first").endsWith(BoundedText.REST_CUT);
        assertThat(failure.output().orElseThrow())
                .startsWith(BoundedText.BEGINNING_CUT)
                .endsWith(" last");
        assertThat(bytes(failure.message())).isEqualTo(BoundedText.MOST_BYTES);
        assertThat(bytes(failure.output().orElseThrow())).isEqualTo(BoundedText.MOST_BYTES);
    }

    @Test
    void namesAreEmptyWhereThereIsNothingToSay() {
        LaunchContext nothing =
                LaunchContext.nothing(new StepIdentity("r", "s", "p", Optional.empty(), Optional.empty(), 1, "dev"));

        assertThat(ContextText.block(nothing, FILE)).isEmpty();
        assertThat(ContextText.failure(nothing)).isEmpty();
        assertThat(ContextText.history(nothing)).isEmpty();
        assertThat(ContextText.concern(nothing)).isEmpty();
    }

    @Test
    void theHistoryIsOneLineEach() {
        assertThat(ContextText.history(of("", "two\nlines", "m", "o", 20)).lines())
                .hasSize(20)
                .allMatch(line -> line.endsWith("two lines"));
        assertThat(ContextText.concern(of("", "two\nlines", "m", "o", 0))).isEqualTo("two lines");
    }
}
