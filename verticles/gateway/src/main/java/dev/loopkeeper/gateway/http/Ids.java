package dev.loopkeeper.gateway.http;

import dev.loopkeeper.run.RunId;
import io.vertx.ext.web.RoutingContext;
import java.util.regex.Pattern;

/** Validates ids of runs, steps and roles in URL paths. */
public final class Ids {
    /** Ids of steps and roles; at most as long as a folder name may be. */
    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

    private Ids() {}

    /** Returns this path parameter; fails with "not found" for an impossible id. */
    public static String of(RoutingContext context, String parameter) {
        String id = context.pathParam(parameter);
        if (id == null || !PATTERN.matcher(id).matches()) {
            throw Problem.notFound(parameter + " is invalid; it may contain only letters, digits, '.', '_' and '-'");
        }
        return id;
    }

    /** Returns whether a step or role may have this id. */
    public static boolean isPlain(String id) {
        return PATTERN.matcher(id).matches();
    }

    public static String run(RoutingContext context) {
        String id = context.pathParam("runId");
        if (id == null || !RunId.isValid(id)) {
            throw Problem.notFound("there is no such run; a run id consists of " + RunId.RULE);
        }
        return id;
    }

    public static String step(RoutingContext context) {
        return of(context, "stepId");
    }
}
