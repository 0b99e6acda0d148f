package dev.loopkeeper.manifest.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maps the values of a document to their source positions: a tree like the document's own. */
public final class SourceMap {
    private static final Pattern SEGMENT = Pattern.compile("[^.\\[\\]]+");
    private static final Pattern INDEX = Pattern.compile("[0-9]{1,6}");

    private final SourcePosition key;
    private final SourcePosition value;
    private Map<String, SourceMap> members = Map.of();
    private List<SourceMap> elements = List.of();

    SourceMap(SourcePosition key, SourcePosition value) {
        this.key = key;
        this.value = value;
    }

    /** The map of a document that was not read from text: no position is known. */
    public static SourceMap unknown() {
        return at(SourcePosition.UNKNOWN);
    }

    /** A map with this position for a value without a key and for everything inside it. */
    public static SourceMap at(SourcePosition position) {
        return new SourceMap(position, position);
    }

    /** Position of the value's key; of the value itself in a list and for the complete document. */
    public SourcePosition key() {
        return key;
    }

    /** Position of the first character of the value; for a block map, its first key. */
    public SourcePosition value() {
        return value;
    }

    /** The entry of a member of a map; this entry when there is none. */
    SourceMap member(String name) {
        return members.getOrDefault(name, this);
    }

    /** The entry of an element of a list; this entry when there is none. */
    SourceMap element(int index) {
        return index < elements.size() ? elements.get(index) : this;
    }

    /** The entry of a path such as {@code phases[0].loop}, or of its nearest existing part. */
    public SourceMap find(String path) {
        SourceMap found = this;
        for (Matcher segment = SEGMENT.matcher(path); segment.find(); ) {
            Optional<SourceMap> child = found.child(segment.group());
            if (child.isEmpty()) {
                return found;
            }
            found = child.get();
        }
        return found;
    }

    /** Finds a child by the name of a member or the index of an element. */
    private Optional<SourceMap> child(String name) {
        SourceMap child =
                !elements.isEmpty() && INDEX.matcher(name).matches() ? element(Integer.parseInt(name)) : member(name);
        return child == this ? Optional.empty() : Optional.of(child);
    }

    /** Replaces the source of the value at this path, and of missing maps on the way. */
    public void put(List<String> path, SourceMap elsewhere) {
        SourceMap parent = this;
        for (String name : path.subList(0, path.size() - 1)) {
            if (parent.child(name).isEmpty()) {
                parent.add(name, at(elsewhere.value));
            }
            parent = parent.child(name).orElseThrow();
        }
        String last = path.get(path.size() - 1);
        if (parent.elements.isEmpty()) {
            parent.add(last, elsewhere);
        } else {
            parent.elements.set(Integer.parseInt(last), elsewhere);
        }
    }

    void add(String name, SourceMap member) {
        members = members.isEmpty() ? new HashMap<>() : members;
        members.put(name, member);
    }

    void add(SourceMap element) {
        elements = elements.isEmpty() ? new ArrayList<>() : elements;
        elements.add(element);
    }

    /** A value repeated by an alias has the position of its anchor. */
    void repeat(SourceMap anchor) {
        anchor.members.forEach((name, member) -> add(name, member.copy()));
        anchor.elements.forEach(element -> add(element.copy()));
    }

    private SourceMap copy() {
        SourceMap copy = new SourceMap(key, value);
        copy.repeat(this);
        return copy;
    }
}
