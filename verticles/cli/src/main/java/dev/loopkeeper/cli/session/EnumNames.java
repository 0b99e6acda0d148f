package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.json.WireName;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
        return WireName.find(type, word).or(() -> shortened(word, names)).orElseThrow(() -> unknown(word, names));
    }

    private static TypeConversionException unknown(String word, List<String> names) {
        List<String> shortForms = names.stream()
                .filter(name -> name.contains("-"))
                .map(name -> name.substring(0, name.indexOf('-')))
                .filter(form -> beginningWith(form, names).size() == 1)
                .toList();
        List<String> all = Stream.concat(names.stream(), shortForms.stream()).toList();
        return new TypeConversionException("'" + Words.oneLine(word) + "' is not one of " + String.join(", ", names)
                + (shortForms.isEmpty() ? "" : ", in short " + String.join(", ", shortForms))
                + NearestName.of(word, all)
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(""));
    }

    /**
     * Resolves the words before a hyphen if only one name begins with them, e.g. {@code claude} for
     * {@code claude-code}.
     */
    private Optional<E> shortened(String word, List<String> names) {
        List<String> beginnings = beginningWith(word, names);
        return beginnings.size() == 1 ? WireName.find(type, beginnings.get(0)) : Optional.empty();
    }

    private static List<String> beginningWith(String word, List<String> names) {
        return names.stream().filter(name -> name.startsWith(word + "-")).toList();
    }

    @Override
    public Iterator<String> iterator() {
        return WireName.all(type).iterator();
    }
}
