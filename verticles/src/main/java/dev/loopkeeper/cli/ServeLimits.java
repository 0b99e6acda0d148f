package dev.loopkeeper.cli;

import dev.loopkeeper.process.InheritedEnvironment;
import java.util.OptionalInt;

/**
 * What runs may take.
 *
 * @param maxRuns how many go on at once; absent: no limit
 * @param inherited what their agents see of this process's environment
 */
record ServeLimits(OptionalInt maxRuns, InheritedEnvironment inherited) {
    static final ServeLimits NONE = new ServeLimits(OptionalInt.empty(), InheritedEnvironment.ALL);
}
