package dev.loopkeeper.notification;

import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.step.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a person reads about one event.
 *
 * @param title the run's name and what happened, e.g. {@code fix-flaky-tests is paused}
 * @param parts in the order in which they are read
 * @param links to the run, or to the forms that answer it; the first is the main one
 * @param urgent whether a person must act
 */
record ChatMessage(String title, List<Part> parts, List<Link> links, boolean urgent) {
    /** What happened, by the code of a notice. */
    private static final Map<String, String> NOTICES = Map.of(
            "cap-near", "is near a cap", "cap-reached", "has reached a cap", Attention.FIRE_FAILED, "was not started");

    /**
     * One labelled text; its limit leaves space for the other parts in the smallest message.
     *
     * @param most characters
     */
    record Part(String label, String text, int most) {}

    static ChatMessage of(RunEvent event, Facts facts) {
        List<Part> parts = new ArrayList<>();
        // The question of an ask is a part of its own.
        String why =
                event instanceof AskOpened ask ? "step " + ask.stepId() + " asks (" + ask.askId() + ")" : event.text();
        parts.add(new Part("Why", why, 1000));
        questions(event, parts);
        cost(event, facts).ifPresent(usd -> parts.add(new Part("Cost so far", Amounts.dollars(usd), 40)));
        if (facts.more() > 0) {
            parts.add(new Part("Also", facts.more() + " more since the last message", 100));
        }
        return new ChatMessage(facts.name() + " " + happened(event), parts, facts.links(), Attention.isRequired(event));
    }

    private static String happened(RunEvent event) {
        if (event instanceof RunPaused) {
            return "is paused";
        } else if (event instanceof AskOpened) {
            return "asks";
        }
        if (event instanceof Notice notice) {
            return NOTICES.getOrDefault(notice.code(), EventTypes.of(event));
        }
        return event instanceof RunEnded ended ? "is " + ended.status().wire() : EventTypes.of(event);
    }

    private static void questions(RunEvent event, List<Part> parts) {
        if (event instanceof RunPaused paused) {
            Pause pause = paused.pause();
            add(parts, "Question", pause.questions(), 1500);
            add(parts, "Gaps", pause.gaps(), 500);
        } else if (event instanceof AskOpened ask) {
            add(parts, "Question", List.of(ask.question()), 1500);
            add(parts, "Choices", ask.choices(), 500);
        }
    }

    private static void add(List<Part> parts, String label, List<String> texts, int most) {
        if (!texts.isEmpty()) {
            parts.add(new Part(label, String.join("\n", texts), most));
        }
    }

    private static OptionalDouble cost(RunEvent event, Facts facts) {
        return event instanceof RunEnded ended ? ended.termination().costUsd() : facts.costUsd();
    }
}
