package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Command: forget these runs if they wait for a slot, since another process will execute them. Answered with itself,
 * with the forgotten runs; runs that have started or have a pending command stay.
 */
public record LetRunsGo(List<String> runIds) {}
