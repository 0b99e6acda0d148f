package dev.loopkeeper.cli.command.admin;

import java.util.List;
import java.util.Optional;

/** The agents that doctor finds, and where each stores its login. */
enum AgentProgram {
    CLAUDE(
            "claude",
            List.of("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
            "CLAUDE_CONFIG_DIR",
            ".claude",
            ".credentials.json",
            List.of(),
            "start claude and type /login, or set ANTHROPIC_API_KEY"),
    CODEX(
            "codex",
            List.of("CODEX_API_KEY"),
            "CODEX_HOME",
            ".codex",
            "auth.json",
            List.of("login", "status"),
            "type codex login, or set CODEX_API_KEY"),
    GEMINI(
            "gemini",
            List.of("GEMINI_API_KEY", "GOOGLE_API_KEY"),
            "",
            ".gemini",
            "oauth_creds.json",
            List.of(),
            "start gemini and sign in, or set GEMINI_API_KEY"),
    OPENCODE(
            "opencode",
            List.of(),
            "",
            ".local/share/opencode",
            "auth.json",
            List.of(),
            "type opencode auth login, or set the key of your provider");

    private final String program;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; the checker requires another library's type
    private final List<String> keys;

    private final String homeVariable;
    private final String home;
    private final String loginFile;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; the checker requires another library's type
    private final List<String> question;

    private final String remedy;

    AgentProgram(
            String program,
            List<String> keys,
            String homeVariable,
            String home,
            String loginFile,
            List<String> question,
            String remedy) {
        this.program = program;
        this.keys = keys;
        this.homeVariable = homeVariable;
        this.home = home;
        this.loginFile = loginFile;
        this.question = question;
        this.remedy = remedy;
    }

    String program() {
        return program;
    }

    /** Returns the variables that can hold a key. */
    List<String> keys() {
        return keys;
    }

    /** Returns the variable for the folder of its settings; empty if there is none. */
    Optional<String> homeVariable() {
        return homeVariable.isEmpty() ? Optional.empty() : Optional.of(homeVariable);
    }

    /** Returns the folder of its settings, relative to the user's home. */
    String home() {
        return home;
    }

    /** Returns the file in that folder that holds a login. */
    String loginFile() {
        return loginFile;
    }

    /**
     * Returns the arguments that print the login status, exit with 0 only if logged in, and cost nothing. Empty if the
     * agent has none.
     */
    List<String> question() {
        return question;
    }

    String remedy() {
        return remedy;
    }
}
