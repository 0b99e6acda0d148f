package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Node;
import java.util.Optional;

/** Answer: the node that executed the step; empty if unknown. */
public record StepPlace(Optional<Node> node) {}
