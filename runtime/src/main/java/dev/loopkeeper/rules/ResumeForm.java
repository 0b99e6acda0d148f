package dev.loopkeeper.rules;

import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeField;
import java.util.List;
import java.util.Map;

/**
 * All that a form for a resume is made of, so that it knows no rule itself.
 *
 * @param actions what may follow, in the order in which it is offered
 * @param needs without each of these, or one of its alternatives, a resume is refused; empty: a plain one is accepted
 * @param accepts what may be given besides
 * @param effects what each of the actions leads to, in words
 */
public record ResumeForm(
        List<ResumeAction> actions,
        List<ResumeField> needs,
        List<ResumeField> accepts,
        Map<ResumeAction, String> effects) {}
