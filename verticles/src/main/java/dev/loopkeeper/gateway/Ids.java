package dev.loopkeeper.gateway;

import io.vertx.ext.web.RoutingContext;
import java.util.regex.Pattern;

/** Names of runs, steps and roles, as they appear in paths on disk and in addresses. */
final class Ids {
    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private static final int LONGEST_NEW = 128;

    private Ids() {}

    static boolean valid(String id) {
        return PATTERN.matcher(id).matches();
    }

    /** Whether a new run may be called so: shorter, since names of files are made of it. */
    static boolean validNew(String id) {
        return valid(id) && id.length() <= LONGEST_NEW;
    }

    /** This part of the path; one that no run can have is not found. */
    static String of(RoutingContext context, String parameter) {
        String id = context.pathParam(parameter);
        if (id == null || !valid(id)) {
            throw Problem.notFound("no " + parameter + " looks like this: letters, digits, '.', '_' and '-' only");
        }
        return id;
    }

    static String run(RoutingContext context) {
        return of(context, "runId");
    }

    static String step(RoutingContext context) {
        return of(context, "stepId");
    }
}
