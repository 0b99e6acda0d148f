package dev.loopkeeper.cli.session;

import dev.loopkeeper.json.WireName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * An option of {@link Arguments} of which it is still to be said what its value is, and to which field it goes. The field
 * keeps what it has where the option is given nowhere and has no default.
 */
public final class Option {
    private final Arguments all;
    private final OptionSpec.Builder option;

    Option(Arguments all, OptionSpec.Builder option) {
        this.all = all;
        this.option = option;
    }

    /** What it is where nobody gives it. */
    public Option orElse(String value) {
        option.defaultValue(value);
        return this;
    }

    /** What stands between values that are given at once. */
    public Option split(String separator) {
        option.splitRegex(separator);
        return this;
    }

    /** What a shell offers for its value, asked for when it is needed. No other such option of the command has its label. */
    public Option offering(Iterable<String> words) {
        option.completionCandidates(words);
        return this;
    }

    /** Every verb takes it too. */
    public Option ofEveryVerb() {
        option.scopeType(ScopeType.INHERIT);
        return this;
    }

    public Arguments text(Consumer<String> field) {
        return taking(String.class, field);
    }

    public Arguments path(Consumer<Path> field) {
        return one(Path.class, Conversions::path, field);
    }

    public Arguments number(Consumer<Integer> field) {
        return one(Integer.class, Conversions::number, field);
    }

    public Arguments large(Consumer<Long> field) {
        return one(Long.class, Conversions::large, field);
    }

    public Arguments decimal(Consumer<Double> field) {
        return one(Double.class, Conversions::decimal, field);
    }

    /** Of any type; the converter refuses by a {@code TypeConversionException}. */
    public <T> Arguments one(Class<T> type, ITypeConverter<T> converter, Consumer<T> field) {
        option.converters(converter);
        return taking(type, field);
    }

    /** One of an enum by its name on the wire, which shells offer. */
    public <E extends Enum<E> & WireName> Arguments named(Class<E> type, Consumer<E> field) {
        return offering(WireName.all(type)).one(type, word -> Conversions.named(type, word), field);
    }

    public Arguments texts(Consumer<List<String>> field) {
        return taking(List.class, field);
    }

    public Arguments different(Consumer<Set<String>> field) {
        return taking(Set.class, field);
    }

    public Arguments paths(Consumer<List<Path>> field) {
        option.auxiliaryTypes(Path.class).converters(Conversions::path);
        return taking(List.class, field);
    }

    /** Each of the form {@code NAME=VALUE}. */
    public Arguments pairs(Consumer<Map<String, String>> field) {
        return taking(Map.class, field);
    }

    private Arguments taking(Class<?> type, Consumer<?> field) {
        ArgumentField<?> unset = new ArgumentField<>(field, null);
        return all.add(option.type(type).getter(unset).setter(unset));
    }
}
