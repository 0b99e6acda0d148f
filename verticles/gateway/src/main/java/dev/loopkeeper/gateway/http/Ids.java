package dev.loopkeeper.gateway.http;

import dev.loopkeeper.run.RunId;
import io.vertx.ext.web.RoutingContext;
import java.util.regex.Pattern;

/** Names of runs, steps and roles, as they appear in paths on disk and in addresses. */
public final class Ids {
    /** Of steps and roles; as long as the name of a folder can be. */
    private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

    private Ids() {}

    /** This part of the path; one that no run can have is not found. */
    public static String of(RoutingContext context, String parameter) {
        String id = context.pathParam(parameter);
        if (id == null || !PATTERN.matcher(id).matches()) {
            throw Problem.notFound("no " + parameter + " looks like this: letters, digits, '.', '_' and '-' only");
        }
        return id;
    }

    /** Whether a step or a role can be named like this. */
    public static boolean isPlain(String id) {
        return PATTERN.matcher(id).matches();
    }

    public static String run(RoutingContext context) {
        String id = context.pathParam("runId");
        if (id == null || !RunId.isValid(id)) {
            throw Problem.notFound("no runId looks like this: " + RunId.RULE + " only");
        }
        return id;
    }

    public static String step(RoutingContext context) {
        return of(context, "stepId");
    }
}
