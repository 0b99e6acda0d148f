package dev.loopkeeper.process;

import java.util.List;
import java.util.Map;

/**
 * Selects the variables of the runtime's environment that agents inherit. Variables of a manifest override them;
 * {@code LOOPKEEPER_*} is never inherited.
 *
 * @param names e.g. {@code HOME} or, for all that begin so, {@code LC_*}; empty: all
 */
public record InheritedEnvironment(List<String> names) {
    /** Everything. */
    public static final InheritedEnvironment ALL = new InheritedEnvironment(List.of());

    private static final String MARKS = "LOOPKEEPER_";
    private static final String ANY = "*";

    public InheritedEnvironment {
        names = List.copyOf(names);
    }

    /** Removes what agents do not inherit; callers handle {@code LOOPKEEPER_*}. */
    void restrict(Map<String, String> environment) {
        if (!names.isEmpty()) {
            environment
                    .keySet()
                    .removeIf(name ->
                            !name.startsWith(MARKS) && names.stream().noneMatch(allowed -> matches(allowed, name)));
        }
    }

    private static boolean matches(String allowed, String name) {
        return allowed.endsWith(ANY)
                ? name.startsWith(allowed.substring(0, allowed.length() - ANY.length()))
                : name.equals(allowed);
    }
}
