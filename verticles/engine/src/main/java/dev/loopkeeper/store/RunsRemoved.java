package dev.loopkeeper.store;

import java.util.List;

/** Fact: these runs are gone from the store for good. */
public record RunsRemoved(List<String> runIds) {}
