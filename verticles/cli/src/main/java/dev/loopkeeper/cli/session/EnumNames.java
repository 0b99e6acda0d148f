package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.WireName;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a constant of an enum by its wire name, and offers these names for completion. */
public abstract class EnumNames<E extends Enum<E> & WireName> implements ITypeConverter<E>, Iterable<String> {
    private final Class<E> type;

    protected EnumNames(Class<E> type) {
        this.type = type;
    }

    @Override
    public E convert(String word) {
        return WireName.find(type, word)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + Words.oneLine(word) + "' is not one of " + String.join(", ", WireName.all(type))));
    }

    @Override
    public Iterator<String> iterator() {
        return WireName.all(type).iterator();
    }
}
