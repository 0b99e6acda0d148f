package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.mcp.ProblemText;
import java.util.List;

/** Converts a problem document of the API to the failure of a command. */
final class ApiProblem {
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int FIRST_SERVER_ERROR = 500;

    private static final String WITH = " with --token-file or LOOPKEEPER_TOKEN";

    private ApiProblem() {}

    /** Returns the failure with the server's detail, and below it what is missing, allowed or invalid. */
    static CommandFailure failure(int status, JsonNode problem) {
        List<String> lines = ProblemText.lines(status, problem);
        boolean mayNot = problem.path("code").asText().equals("forbidden-scope");
        if (status == UNAUTHORIZED || mayNot) {
            lines.add("give a token " + (mayNot ? "of the scope control" : "that this server accepts") + WITH);
            return new TokenRefused(String.join("\n", lines));
        }
        if (problem.path("code").asText().equals(StoreUnavailable.CODE)) {
            return new StoreUnavailable(String.join("\n", lines));
        }
        if (problem.path("code").asText().equals(ServerGone.CODE)) {
            return new ServerGone(String.join("\n", lines), false);
        }
        boolean unreachable = status == NOT_FOUND || status >= FIRST_SERVER_ERROR;
        return new CommandFailure(unreachable ? ExitCodes.UNREACHABLE : ExitCodes.REFUSED, String.join("\n", lines));
    }
}
