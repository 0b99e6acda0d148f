package dev.loopkeeper.rules.message;

import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeField;
import java.util.List;
import java.util.Map;

/**
 * Describes a form for a resume, so that clients need no rules.
 *
 * @param actions next actions, in the order in which they are offered
 * @param needs required fields; an alternative can replace each; empty when a plain resume is accepted
 * @param accepts optional fields
 * @param effects result of each action, for people
 */
public record ResumeForm(
        List<ResumeAction> actions,
        List<ResumeField> needs,
        List<ResumeField> accepts,
        Map<ResumeAction, String> effects) {}
