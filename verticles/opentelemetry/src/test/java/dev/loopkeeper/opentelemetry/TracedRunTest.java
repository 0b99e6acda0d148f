package dev.loopkeeper.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.opentelemetry.RecordedSpans.History;
import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.step.AskOutcome;
import dev.loopkeeper.run.step.StepKind;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TracedRunTest {
    private final RecordedSpans recorded = new RecordedSpans();
    private final History history = new History();

    private void send() {
        TracedRun run = new TracedRun(recorded.spans());
        history.events.forEach(event -> run.apply(event, true));
        assertThat(run.hasEnded()).isTrue();
        assertThat(recorded.sent).extracting(SpanData::getTraceId).containsOnly(RecordedSpans.TRACE);
    }

    private static AskOpened asked(String askId, String stepId) {
        return new AskOpened(askId, stepId, "Which one?", List.of("left"), Instant.MAX, "key of " + askId, "dev");
    }

    private static AskClosed closed(String askId, String stepId, AskOutcome outcome) {
        boolean answered = outcome == AskOutcome.ANSWERED;
        return new AskClosed(
                askId,
                stepId,
                outcome,
                Optional.of("left").filter(answer -> answered),
                Optional.of("ann").filter(by -> answered));
    }

    private static long second(long epochNanos) {
        return TimeUnit.NANOSECONDS.toSeconds(epochNanos) % 60;
    }

    @ParameterizedTest
    @EnumSource
    void anAskIsASpanOfItsStepFromTheQuestionToItsEnd(AskOutcome outcome) {
        history.launched("s-1", StepKind.TASK, Optional.empty(), Optional.empty())
                .add(asked("a-1", "s-1"));
        if (outcome == AskOutcome.STEP_ENDED) {
            history.exited("s-1").add(closed("a-1", "s-1", outcome));
        } else {
            history.add(closed("a-1", "s-1", outcome)).exited("s-1");
        }
        history.ended();
        send();

        SpanData ask = recorded.only("ask");
        SpanData step = recorded.only("invoke_agent dev");
        assertThat(ask.getParentSpanId()).isEqualTo(step.getSpanId());
        assertThat(second(ask.getStartEpochNanos())).isEqualTo(4);
        assertThat(second(ask.getEndEpochNanos())).isEqualTo(outcome == AskOutcome.STEP_ENDED ? 6 : 5);
        assertThat(ask.getAttributes().get(AttributeKey.stringKey("loopkeeper.outcome")))
                .isEqualTo(outcome.wire());
        assertThat(ask.getAttributes().asMap().values()).doesNotContain("Which one?", "left", "ann");
    }

    @Test
    void twoAsksOfAStepAreTwoSpans() {
        history.launched("s-1", StepKind.TASK, Optional.empty(), Optional.empty())
                .add(asked("a-1", "s-1"))
                .add(asked("a-2", "s-1"))
                .add(closed("a-2", "s-1", AskOutcome.TIMEOUT))
                .add(closed("a-1", "s-1", AskOutcome.ANSWERED))
                .exited("s-1")
                .ended();
        send();

        assertThat(recorded.sent)
                .extracting(SpanData::getName)
                .containsExactly("ask", "ask", "invoke_agent dev", "invoke_workflow traced");
        assertThat(recorded.sent).extracting(SpanData::getSpanId).doesNotHaveDuplicates();
    }

    @Test
    void itemsAtTheSameTimeHaveTheirOwnSteps() {
        for (String item : List.of("left", "right")) {
            history.add(new ItemStarted("build", item, 1, false, false, Optional.empty()))
                    .launched("of-" + item, StepKind.ITEM, Optional.empty(), Optional.of(item));
        }
        history.add(asked("a-1", "of-right"))
                .exited("of-left")
                .add("item.finished", "{'phase':'build','item':'left','outcome':'done','status':'done'}")
                .add(closed("a-1", "of-right", AskOutcome.ANSWERED))
                .exited("of-right")
                .add("item.finished", "{'phase':'build','item':'right','outcome':'failed','status':'failed'}")
                .ended();
        send();

        SpanData root = recorded.only("invoke_workflow traced");
        SpanData left = recorded.only("item left");
        SpanData right = recorded.only("item right");
        assertThat(List.of(left, right)).extracting(SpanData::getParentSpanId).containsOnly(root.getSpanId());
        assertThat(right.getStartEpochNanos()).isLessThan(left.getEndEpochNanos());
        List<SpanData> steps = recorded.sent.stream()
                .filter(span -> span.getName().equals("invoke_agent dev"))
                .toList();
        assertThat(steps).extracting(SpanData::getParentSpanId).containsExactly(left.getSpanId(), right.getSpanId());
        assertThat(recorded.only("ask").getParentSpanId())
                .isEqualTo(steps.get(1).getSpanId());
        assertThat(right.getAttributes().get(AttributeKey.stringKey("loopkeeper.outcome")))
                .isEqualTo("failed");
    }
}
