package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Node;
import java.util.Optional;

/** Answer: the node that carried the step out; empty where that is not known. */
public record StepPlace(Optional<Node> node) {}
