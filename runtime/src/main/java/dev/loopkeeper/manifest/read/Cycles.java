package dev.loopkeeper.manifest.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds cycles in "requires" relations, without recursion, since a chain may be as long as the document. */
final class Cycles {
    private static final int MOST = 20;
    private static final int MOST_NAMES = 12;

    private record Open(String name, Iterator<String> rest) {}

    private final Map<String, List<String>> edges;
    private final Set<String> done = new HashSet<>();
    private final List<List<String>> found = new ArrayList<>();

    private Cycles(Map<String, List<String>> edges) {
        this.edges = edges;
    }

    /** Cycles of names, each starting with the name that closes it; at most 20, empty when there is none. */
    static List<List<String>> in(Map<String, List<String>> edges) {
        Cycles cycles = new Cycles(edges);
        edges.keySet().forEach(cycles::walk);
        return cycles.found;
    }

    /** Formats a cycle for people, e.g. {@code a -> b -> a}; leaves out the middle of a long one. */
    static String text(List<String> cycle) {
        int size = cycle.size();
        String first = cycle.get(0);
        if (size <= MOST_NAMES) {
            return String.join(" -> ", cycle) + " -> " + first;
        }
        return String.join(" -> ", cycle.subList(0, MOST_NAMES)) + " -> ... -> " + first + " (" + size + " in all)";
    }

    private void walk(String start) {
        Deque<Open> path = new ArrayDeque<>();
        Set<String> onPath = new LinkedHashSet<>();
        enter(start, path, onPath);
        while (!path.isEmpty()) {
            Open top = path.peek();
            if (top.rest().hasNext()) {
                follow(top.rest().next(), path, onPath);
            } else {
                onPath.remove(path.pop().name());
                done.add(top.name());
            }
        }
    }

    private void follow(String next, Deque<Open> path, Set<String> onPath) {
        if (!onPath.contains(next)) {
            enter(next, path, onPath);
        } else if (found.size() < MOST) {
            found.add(onPath.stream().dropWhile(name -> !name.equals(next)).toList());
        }
    }

    private void enter(String name, Deque<Open> path, Set<String> onPath) {
        if (!done.contains(name)) {
            onPath.add(name);
            path.push(new Open(name, edges.getOrDefault(name, List.of()).iterator()));
        }
    }
}
