package dev.loopkeeper.cli.command.admin;

import java.util.List;
import java.util.Optional;

/**
 * An agent that doctor finds, and where it stores its login.
 *
 * @param keys the variables that can hold a key
 * @param homeVariable the variable for the folder of its settings
 * @param home the folder of its settings, relative to the user's home
 * @param loginFile the file in that folder that holds a login
 * @param question the arguments that print the login status, exit with 0 only if logged in, and cost nothing; empty if
 *     the agent has none
 */
record AgentProgram(
        String program,
        List<String> keys,
        Optional<String> homeVariable,
        String home,
        String loginFile,
        List<String> question,
        String remedy) {
    static final List<AgentProgram> ALL = List.of(
            new AgentProgram(
                    "claude",
                    List.of("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
                    Optional.of("CLAUDE_CONFIG_DIR"),
                    ".claude",
                    ".credentials.json",
                    List.of(),
                    "start claude and type /login, or set ANTHROPIC_API_KEY"),
            new AgentProgram(
                    "codex",
                    List.of("CODEX_API_KEY"),
                    Optional.of("CODEX_HOME"),
                    ".codex",
                    "auth.json",
                    List.of("login", "status"),
                    "type codex login, or set CODEX_API_KEY"),
            new AgentProgram(
                    "gemini",
                    List.of("GEMINI_API_KEY", "GOOGLE_API_KEY"),
                    Optional.empty(),
                    ".gemini",
                    "oauth_creds.json",
                    List.of(),
                    "start gemini and sign in, or set GEMINI_API_KEY"),
            new AgentProgram(
                    "opencode",
                    List.of(),
                    Optional.empty(),
                    ".local/share/opencode",
                    "auth.json",
                    List.of(),
                    "type opencode auth login, or set the key of your provider"));
}
