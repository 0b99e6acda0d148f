package dev.loopkeeper.agent;

import dev.loopkeeper.step.Classification;
import dev.loopkeeper.step.ErrorClassifier;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.StructuredError;
import java.time.Instant;
import java.time.ZoneId;

/** By which rules errors are told apart, and when and where their times of day are read. */
record Reading(ErrorRules rules, Instant now, ZoneId zone) {
    Classification classify(StructuredError error) {
        return ErrorClassifier.classify(rules, error, now, zone);
    }
}
