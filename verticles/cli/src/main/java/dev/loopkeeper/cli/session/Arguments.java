package dev.loopkeeper.cli.session;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * What a command takes: its options and parameters, each with the field that its value goes to. They are told to picocli
 * one by one: for annotations Java makes a class of each kind of them at every start, and reads every field by reflection,
 * which was a third of the work of a command.
 *
 * <p>For one command line: a value stays until the same line, parsed again with more defaults, brings another.
 */
public final class Arguments {
    private final CommandSpec spec;

    /** @param command what is called when it was typed */
    public Arguments(Callable<Integer> command, String name, String... description) {
        spec = CommandSpec.wrapWithoutInspection(command).name(name);
        spec.usageMessage().description(description);
    }

    /** What stands below everything else in its help. */
    public Arguments footer(String... lines) {
        spec.usageMessage().footer(lines);
        return this;
    }

    /** No help tells of the command. */
    public Arguments hidden() {
        spec.usageMessage().hidden(true);
        return this;
    }

    /**
     * Options have what is typed and nothing else: the word behind one is its value, also where it looks like an option, and
     * no variable of the environment sets any.
     */
    public Arguments asTyped() {
        // No word can be the one that ends options then, since a word never holds this.
        spec.parser().allowOptionsAsOptionParameters(true).endOfOptionsDelimiter("\0");
        return this;
    }

    /** Whether {@link #asTyped} was said of a command's options. */
    public static boolean areAsTyped(CommandSpec command) {
        return command.parser().allowOptionsAsOptionParameters();
    }

    /** Those that several commands share. */
    public Arguments and(ArgumentGroup group) {
        return group.addTo(this);
    }

    /**
     * What is on or off.
     *
     * @param names with blanks between them, e.g. {@code -f --follow}
     */
    public Arguments flag(String names, String description, Consumer<Boolean> field) {
        ArgumentField<Boolean> off = new ArgumentField<>(field, false);
        // Without a value of its own picocli turns round what the environment or the configuration file has set.
        return add(option(names, description)
                .type(boolean.class)
                .fallbackValue("true")
                .getter(off)
                .setter(off));
    }

    /**
     * What has a value.
     *
     * @param names with blanks between them, e.g. {@code -o --output}
     * @param label stands for the value in the help, and tells shells and the configuration file what it is: {@code FILE}
     *     and {@code DIR} are paths
     */
    public Option option(String names, String label, String description) {
        return new Option(this, option(names, description).paramLabel(label));
    }

    private static OptionSpec.Builder option(String names, String description) {
        return OptionSpec.builder(names.split(" ")).description(description);
    }

    /** The word at this place, counted from 0, which has to be there. */
    public Parameter parameter(int index, String label, String description) {
        return new Parameter(
                this, parameter(index, description).paramLabel(label).required(true));
    }

    /** The word at this place, counted from 0, which may be absent. */
    public Parameter optional(int index, String label, String description) {
        return new Parameter(
                this, parameter(index, description).paramLabel(label).arity("0..1"));
    }

    private static PositionalParamSpec.Builder parameter(int index, String description) {
        return PositionalParamSpec.builder().index(Integer.toString(index)).description(description);
    }

    Arguments add(OptionSpec.Builder option) {
        spec.addOption(option.hasInitialValue(false).build());
        return this;
    }

    Arguments add(PositionalParamSpec.Builder parameter) {
        spec.addPositional(parameter.hasInitialValue(false).build());
        return this;
    }

    /** All of it, as picocli knows it. */
    public CommandSpec spec() {
        return spec;
    }
}
