package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Node;
import java.util.List;

/**
 * Answer: the nodes that executed steps of the run.
 *
 * @param nodes without duplicates; the latest is last
 */
public record RunPlaces(List<Node> nodes) {
    public RunPlaces {
        nodes = List.copyOf(nodes);
    }
}
