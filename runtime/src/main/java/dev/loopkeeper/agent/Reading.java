package dev.loopkeeper.agent;

import dev.loopkeeper.step.Classification;
import dev.loopkeeper.step.ErrorClassifier;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.StructuredError;
import java.time.Instant;
import java.time.ZoneId;

/** The error rules, and the reference for times in error texts. */
record Reading(ErrorRules rules, Instant now, ZoneId zone) {
    Classification classify(StructuredError error) {
        return ErrorClassifier.classify(rules, error, now, zone);
    }
}
