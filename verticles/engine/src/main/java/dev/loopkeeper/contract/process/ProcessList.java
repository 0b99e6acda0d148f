package dev.loopkeeper.contract.process;

import java.util.List;

/** Answer: the live agents, oldest first. */
public record ProcessList(List<LiveProcess> processes) {}
