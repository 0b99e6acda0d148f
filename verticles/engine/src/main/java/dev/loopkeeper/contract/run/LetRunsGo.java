package dev.loopkeeper.contract.run;

import java.util.List;

/**
 * Command: forget these of the runs that wait for a place, since another process is to carry them out. Answered with
 * itself, with those that are let go: what goes on meanwhile, or is asked for something, stays.
 */
public record LetRunsGo(List<String> runIds) {}
