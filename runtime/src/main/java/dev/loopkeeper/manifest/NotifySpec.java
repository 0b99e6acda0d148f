package dev.loopkeeper.manifest;

import java.util.List;
import java.util.Optional;

/**
 * A target of notifications and its events. Exactly one of {@code webhook} and {@code command} is present.
 *
 * @param webhook http or https URL that receives the event as JSON
 * @param command run for each event, words are templates that may name the run and its summary
 * @param events event types, e.g. {@code run.paused}; at least one
 * @param secretEnv name of the environment variable that holds the webhook's signing secret
 */
public record NotifySpec(
        Optional<String> webhook, Optional<CommandLine> command, List<String> events, Optional<String> secretEnv) {}
