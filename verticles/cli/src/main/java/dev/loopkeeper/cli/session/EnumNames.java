package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.json.WireName;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a constant of an enum by its wire name, and offers these names for completion. */
public abstract class EnumNames<E extends Enum<E> & WireName> implements ITypeConverter<E>, Iterable<String> {
    private final Class<E> type;

    protected EnumNames(Class<E> type) {
        this.type = type;
    }

    @Override
    public E convert(String word) {
        List<String> names = WireName.all(type);
        return WireName.find(type, word)
                .or(() -> shortened(word, names))
                .orElseThrow(() -> new TypeConversionException("'" + Words.oneLine(word) + "' is not one of "
                        + String.join(", ", names)
                        + NearestName.of(word, names)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("")));
    }

    /**
     * Resolves the words before a hyphen if only one name begins with them, e.g. {@code claude} for
     * {@code claude-code}.
     */
    private Optional<E> shortened(String word, List<String> names) {
        List<String> beginnings =
                names.stream().filter(name -> name.startsWith(word + "-")).toList();
        return beginnings.size() == 1 ? WireName.find(type, beginnings.get(0)) : Optional.empty();
    }

    @Override
    public Iterator<String> iterator() {
        return WireName.all(type).iterator();
    }
}
