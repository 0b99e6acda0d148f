package dev.loopkeeper.contract.run;

import java.util.Optional;

/** Question: which steps are open; of one run, or of all. */
public record ListOpenSteps(Optional<String> runId) {}
