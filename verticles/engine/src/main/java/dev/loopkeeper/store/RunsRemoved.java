package dev.loopkeeper.store;

import java.util.List;

/** Event: these runs were removed from the store. */
public record RunsRemoved(List<String> runIds) {}
