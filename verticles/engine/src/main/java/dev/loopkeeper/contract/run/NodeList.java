package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Node;
import java.util.List;

/** Answer: all nodes, sorted by name. */
public record NodeList(List<Node> nodes) {}
