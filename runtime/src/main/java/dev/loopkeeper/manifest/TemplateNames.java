package dev.loopkeeper.manifest;

import dev.loopkeeper.json.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;

/** Lists the names that templates may contain, and finds unknown names in a template. */
public final class TemplateNames {
    /** Names in a prompt, in addition to {@code vars.NAME}. */
    public static final Set<String> PROMPT = Set.of(
            "runId",
            "execution",
            "phase",
            "iteration",
            "item.id",
            "attempt",
            "stepId",
            "agent",
            "nonce",
            "workspace",
            "signalFile",
            "feedback",
            "last.verdict",
            "last.concern",
            "last.agent",
            "failure",
            "history",
            "limits",
            "contextFile",
            "context");
    /** Names of earlier results; a prompt with one of them gets no context block appended. */
    public static final Set<String> EARLIER_RESULTS = Set.of("context", "failure", "last.concern", "history");
    /** Names in the command of a notification. */
    public static final Set<String> NOTIFICATION = Set.of(
            "name",
            "runId",
            "status",
            "summary",
            "type",
            "reasonCode",
            "message",
            "keyConcern",
            "anomalyType",
            "refusedValue",
            "gaps",
            "questions",
            "error",
            "advice",
            "url");

    private TemplateNames() {}

    /**
     * A name that is not known.
     *
     * @param line its line, from 1
     * @param nearest the nearest known name, if any
     */
    public record Unknown(String name, int line, Optional<String> nearest) {}

    /** Whether a prompt itself names earlier results. */
    public static boolean namesEarlierResults(String text) {
        return PromptTemplate.NAME
                .matcher(text)
                .results()
                .anyMatch(match -> match.group(1) != null && EARLIER_RESULTS.contains(match.group(1)));
    }

    /** The names that a prompt with these variables may contain. */
    public static Set<String> ofPrompt(Set<String> variables) {
        Set<String> names = new TreeSet<>(PROMPT);
        variables.forEach(name -> names.add("vars." + name));
        return names;
    }

    /** Every use of an unknown name, in order. */
    public static List<Unknown> unknown(String text, Set<String> known) {
        List<Unknown> unknown = new ArrayList<>();
        Matcher matcher = PromptTemplate.NAME.matcher(text);
        int line = 1;
        int counted = 0;
        while (matcher.find()) {
            for (; counted < matcher.start(); counted++) {
                line += text.charAt(counted) == '\n' ? 1 : 0;
            }
            String name = matcher.group(1);
            if (name != null && !known.contains(name)) {
                unknown.add(new Unknown(name, line, NearestName.of(name, known)));
            }
        }
        return unknown;
    }

    /** Every known or nearly known name in a text that is not a template, in order. */
    public static List<String> meant(String text, Set<String> known) {
        List<String> names = new ArrayList<>();
        Matcher matcher = PromptTemplate.NAME.matcher(text);
        while (matcher.find()) {
            String name = matcher.group(1);
            if (name != null
                    && (known.contains(name) || NearestName.of(name, known).isPresent())) {
                names.add(name);
            }
        }
        return names;
    }
}
