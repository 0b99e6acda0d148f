package dev.loopkeeper.step;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a line is by its shape, whatever it says: the line of a program, of a list, of a runner of tests. Each is told by
 * its beginning and its end; no repetition is tried twice.
 */
final class LineShape {
    /** The line of a program or of a patch, the prompt of a shell. */
    static final String CODE = "<code>";
    /** A heading, an entry of a change log or of a list of tasks, the row of a table. */
    static final String ITEM = "<item>";
    /** What a runner of tests reports. */
    static final String CHECK = "<check>";

    /** What names itself an error. */
    private static final String NAMED = "(?:[A-Z][\\w ]{0,40})?(?:ERROR|Error|[Ee]xception|[Ff]ailed):";
    /** The same before which stands what begins a heading, a list, a comment or a line of a patch. */
    private static final Pattern NAMED_BEHIND_A_MARK = Pattern.compile("(?:#{1,6}|[-+]|//|/\\*)\\s{0,4}" + NAMED);

    /** A patch or a comment: a list has one blank behind its dash, an option two dashes, a shell at login one. */
    private static final Pattern PATCH_OR_COMMENT = Pattern.compile("[-+](?: {2}|\\t|(?!\\w{0,3}sh: )[A-Za-z])|/[/*]");
    /** A word of the language, a call, or what is set to something; behind it ends the line with a semicolon. */
    private static final Pattern STATEMENT = Pattern.compile(
            "[)}\\]*&({,]*\\s*(?:(?:throw|return|await|yield|if|for|while|else|case|default|new|let|var|val|const|final|static|public"
                    + "|private|protected|export|import|INSERT|SELECT|UPDATE|DELETE)\\b.*[(=]|[\\w$@.:>!-]+\\(.*\\)\\S{0,3};$"
                    + "|(?:[\\w$<>\\[\\],.*&?]+ ){0,3}[\\w$.\\[\\]>-]+ [-+*/|&?]{0,2}= )");

    /** What begins a line of a program and hardly a sentence; what ends it is {@link #endsCode}. */
    private static final Pattern DECLARATION =
            Pattern.compile("(?:export|import|package|namespace|(?:async )?(?:def|function)|func|fn|const|var|class"
                    + "|interface|struct|enum|impl|public|private|protected|elif|except)\\b");
    /** A word of a program with the call or the condition that it is followed by. */
    private static final Pattern CALL_AFTER_WORD =
            Pattern.compile("(?:with|await|return|yield|if|while|for|switch|catch|case) ?(?:[\\w.]{0,60}\\(|[\\[{])");
    /** A test, or what one expects. */
    private static final Pattern OF_A_TEST =
            Pattern.compile("(?:it|test|describe|expect|(?:self\\.)?assert\\w{0,40})(?:\\.\\w{1,20}){0,2}\\(['\"`\\w]");

    private static final Pattern IMPORTED =
            Pattern.compile("(?:import|export)\\b.{1,300}? from ['\"]|from [\\w.]{1,80}+ import ");
    private static final Pattern MEMBER = Pattern.compile("\\w{1,60}+\\??: ['\"`].*");
    /** A constant and its text, a status and what it stands for, a text to be translated, how a program is called. */
    private static final Pattern OF_A_TABLE = Pattern.compile("[A-Z][A-Z0-9_]{2,40}: ['\"].{0,300}['\"],"
            + "|['\"][1-5]\\d\\d['\"]:(?: \\{.*)?$|msg(?:id|str|ctxt) \"|[Uu]sage: .{1,60}? \\[");

    private static final Pattern ONE_OF_MANY_NAMES = Pattern.compile("[A-Za-z_][\\w.]{0,80}+,");
    /** A line that was found in a file: where it stands, and behind it no blank or the indent that it has there. */
    private static final Pattern FOUND_IN_FILE = Pattern.compile(
            "[\\w./@-]{1,200}?\\.[A-Za-z]\\w{0,7}+[:-]\\d{1,6}+[:-](?: {2}|\\t|(?!(?:ERROR|CRITICAL|FATAL)\\b)[^ /])");

    private static final Pattern PROMPT = Pattern.compile("\\$ \\S|(?:grep|rg|ack|sed|awk|jq) [-'\"]");

    private static final Pattern HEADING = Pattern.compile("#{1,6} |[-*] (?:\\*\\*|['\"][^'\"]{1,60}['\"])");
    private static final Pattern TASK = Pattern.compile("[-*+] \\[[ xX]\\] ");
    /** {@code 4a29503 Wait for ...} of a log in one line each, {@code - 4a29503: ...} of a change log. */
    private static final Pattern COMMIT = Pattern.compile("(?:[-*] )?(?=[a-f]*\\d)(?=\\d*[a-f])[0-9a-f]{7,12}:? "
            + "(?!\\W?(?i:api|http|error|fatal|warn|status|request)\\b)[A-Za-z(]");

    private static final String PASSED = "\u2713\u2714\u221A";
    private static final String MISSED = "\u00D7\u2717\u2718";
    private static final String BULLET_OR_CROSS = "\u25CF\u2716";
    private static final String WITHIN = " \u203A ";
    private static final String TRACEBACK = "E   ";
    private static final Pattern NUMBERED_FAILURE = Pattern.compile("\\d{1,3}\\) \\w");
    /**
     * What an agent puts such a mark before: it names itself an error, speaks to its reader, has several sentences or
     * advice behind a raised dot, or tells which request failed; the name of a test does none of these.
     */
    private static final Pattern OF_AN_AGENT = Pattern.compile(".\\s{0,4}(?:" + NAMED + "|Sorry, |Failed to "
            + "|(?:You|Your|We|Please)\\b|.*(?:\\(Request ID:|[a-z]\\. [A-Z]| \u00B7 [A-Z]))");

    private LineShape() {}

    /**
     * The mark of the line that goes on with the visible character here, before which stands no word of it; empty when
     * its shape tells nothing.
     *
     * @param first whether it is the first of its line, and no dash, bracket or the like stands before it
     */
    static Optional<String> of(String text, int at, boolean first) {
        String line = line(text, at);
        if (isCheck(text, at, line) || (first && isNumberedFailure(line))) {
            return Optional.of(CHECK);
        }
        if (isRow(line) || (first && isItem(line))) {
            return Optional.of(ITEM);
        }
        return first && isCode(line) ? Optional.of(CODE) : Optional.empty();
    }

    private static String line(String text, int at) {
        int end = text.indexOf('\n', at);
        return text.substring(at, end < 0 ? text.length() : end).strip();
    }

    private static boolean isCode(String line) {
        return (begins(PATCH_OR_COMMENT, line) && !isNamed(line))
                || isStatement(line)
                || (endsCode(line) && (begins(DECLARATION, line) || begins(CALL_AFTER_WORD, line)))
                || begins(OF_A_TEST, line)
                || begins(IMPORTED, line)
                || begins(OF_A_TABLE, line)
                || ONE_OF_MANY_NAMES.matcher(line).matches()
                || begins(FOUND_IN_FILE, line)
                || begins(PROMPT, line);
    }

    /** E.g. {@code throw new Error("Invalid API key");} or {@code type: 'rate_limit_error';}. */
    private static boolean isStatement(String line) {
        return line.endsWith(";") && (begins(STATEMENT, line) || begins(MEMBER, line));
    }

    private static boolean endsCode(String line) {
        return line.endsWith("{")
                || line.endsWith("(")
                || line.endsWith(";")
                || line.endsWith("}")
                || line.endsWith("=>")
                || (line.endsWith(":") && line.indexOf('(') > 0);
    }

    private static boolean isItem(String line) {
        return (begins(HEADING, line) && !isNamed(line)) || begins(TASK, line) || begins(COMMIT, line);
    }

    private static boolean isNamed(String line) {
        return begins(NAMED_BEHIND_A_MARK, line);
    }

    /** A row of a table in Markdown. */
    private static boolean isRow(String line) {
        int second = line.startsWith("|") ? line.indexOf('|', 1) : -1;
        return second > 0 && second < line.length() - 1 && line.endsWith("|");
    }

    private static boolean isCheck(String text, int at, String line) {
        char found = text.charAt(at);
        if (BULLET_OR_CROSS.indexOf(found) >= 0) { // of agents, too: a check is named by where it stands
            return line.contains(WITHIN);
        }
        boolean startsLine = at == 0 || text.charAt(at - 1) == '\n';
        return PASSED.indexOf(found) >= 0
                || (MISSED.indexOf(found) >= 0 && !begins(OF_AN_AGENT, line))
                || (startsLine && text.startsWith(TRACEBACK, at));
    }

    /** Of a runner of tests; a list of what an agent met tells of errors in the same way. */
    private static boolean isNumberedFailure(String line) {
        return begins(NUMBERED_FAILURE, line) && !begins(OF_AN_AGENT, line.substring(line.indexOf(')')));
    }

    private static boolean begins(Pattern pattern, String line) {
        return pattern.matcher(line).lookingAt();
    }
}
