package dev.loopkeeper.contract.run;

import dev.loopkeeper.view.Node;
import java.util.List;

/**
 * Answer: the nodes that have carried steps of the run out.
 *
 * @param nodes each once; the one that did so last comes last
 */
public record RunPlaces(List<Node> nodes) {
    /** Copies the list. */
    public RunPlaces {
        nodes = List.copyOf(nodes);
    }
}
