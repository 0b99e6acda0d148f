package dev.loopkeeper.contract.run;

import java.util.Optional;

/** Request: the open steps of one run or all runs. */
public record ListOpenSteps(Optional<String> runId) {}
