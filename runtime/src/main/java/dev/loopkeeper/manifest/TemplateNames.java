package dev.loopkeeper.manifest;

import dev.loopkeeper.json.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;

/** The names that a template may hold, and those in it that are none of them. */
public final class TemplateNames {
    /** Of a prompt, beside {@code vars.NAME}. */
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
            "contextFile",
            "context");
    /** A prompt that holds one of these needs no block of what came before. */
    public static final Set<String> OF_THE_PAST = Set.of("context", "failure", "last.concern", "history");
    /** Of the command of a notification. */
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
     * A name that is none of the known ones.
     *
     * @param line where it stands, from 1
     * @param nearest the known name that is near, if one is
     */
    public record Unknown(String name, int line, Optional<String> nearest) {}

    /** Whether a prompt says by itself what came before. */
    public static boolean namesThePast(String text) {
        return PromptTemplate.NAME
                .matcher(text)
                .results()
                .anyMatch(match -> match.group(1) != null && OF_THE_PAST.contains(match.group(1)));
    }

    /** Those of a prompt with these variables. */
    public static Set<String> ofPrompt(Set<String> variables) {
        Set<String> names = new TreeSet<>(PROMPT);
        variables.forEach(name -> names.add("vars." + name));
        return names;
    }

    /** Every use of a name that is not known, in order. */
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

    /** Every known or nearly known name in a text that is no template, in order. */
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
