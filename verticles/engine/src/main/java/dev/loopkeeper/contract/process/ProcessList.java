package dev.loopkeeper.contract.process;

import java.util.List;

/** Answer: the agents that live, oldest first. */
public record ProcessList(List<LiveProcess> processes) {}
