package dev.loopkeeper.process;

import java.util.Map;

/** Fills the placeholders of a prompt template, e.g. {@code {{iteration}}}. */
@FunctionalInterface
public interface PromptRenderer {
    /** The text that goes to the agent's stdin. Throws {@link IllegalArgumentException} for a broken template. */
    String render(String template, Map<String, String> values);
}
