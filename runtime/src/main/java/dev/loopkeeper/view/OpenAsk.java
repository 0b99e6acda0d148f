package dev.loopkeeper.view;

import java.time.Instant;
import java.util.List;

/**
 * A question of a running step that waits for an answer of a person.
 *
 * @param askId unique in its run, e.g. {@code ask-41}
 * @param choices suggested answers; any text is an answer
 */
public record OpenAsk(String askId, String stepId, String question, List<String> choices, Instant since) {}
