package dev.loopkeeper.cli.session;

import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A parameter of {@link Arguments} of which it is still to be said what it is, and to which field it goes. */
public final class Parameter {
    private final Arguments all;
    private final PositionalParamSpec.Builder parameter;

    Parameter(Arguments all, PositionalParamSpec.Builder parameter) {
        this.all = all;
        this.parameter = parameter;
    }

    /** What it is where it is absent. */
    public Parameter orElse(String value) {
        parameter.defaultValue(value);
        return this;
    }

    /** What a shell offers for it, asked for when it is needed. */
    public Parameter offering(Iterable<String> words) {
        parameter.completionCandidates(words);
        return this;
    }

    public Arguments text(Consumer<String> field) {
        return taking(String.class, field);
    }

    public Arguments path(Consumer<Path> field) {
        parameter.converters(Conversions::path);
        return taking(Path.class, field);
    }

    private <T> Arguments taking(Class<T> type, Consumer<T> field) {
        ArgumentField<T> unset = new ArgumentField<>(field, null);
        return all.add(parameter.type(type).getter(unset).setter(unset));
    }
}
