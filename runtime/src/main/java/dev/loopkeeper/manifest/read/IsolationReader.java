package dev.loopkeeper.manifest.read;

import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.CommitEvery;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.Isolation;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.TemplateNames;
import dev.loopkeeper.manifest.WorktreeSetup;
import dev.loopkeeper.step.Wording;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads whether a run has its own worktree, and its options. */
final class IsolationReader {
    static final List<String> KEYS = List.of("git", "base", "branch", "commit", "hooks", "keep", "copy", "setup");
    static final List<String> SETUP_KEYS = List.of("command", "timeout");

    private static final String RUN_ID = "runId";
    private static final Set<String> NAMES = Set.of(RUN_ID, "name");
    /**
     * Characters and sequences that git refuses in a branch name, as far as one line of visible text can contain it.
     */
    private static final Pattern NO_BRANCH = Pattern.compile(
            "[\\x00-\\x20\\x7f~^:?*\\[\\\\]|\\.\\.|@\\{|//|/\\.|\\.lock(/|$)|^[./-]|[./]$|^@$|^HEAD$|^refs/");
    /** Git resolves the name, so an option or a range is refused. */
    private static final Pattern NO_COMMIT = Pattern.compile("^-|\\.\\.|[\\x00-\\x20\\x7f]");

    private static final int LONGEST_PART = 200;

    private IsolationReader() {}

    /** Absent for {@code git: none}. */
    static Optional<Isolation> read(DocumentNode node, List<PhaseSpec> phases) {
        return Fields.of(node, KEYS).flatMap(fields -> isolation(fields, phases));
    }

    private static Optional<Isolation> isolation(Fields fields, List<PhaseSpec> phases) {
        boolean worktree = fields.choice("git", Choices.ISOLATION, Boolean.FALSE);
        Isolation absent = Isolation.DEFAULTS;
        Isolation read = new Isolation(
                fields.at("base").flatMap(IsolationReader::base).orElse(absent.base()),
                fields.at("branch").flatMap(IsolationReader::branch).orElse(absent.branch()),
                fields.choice("commit", Choices.COMMIT, absent.commit()),
                fields.flag("hooks", absent.hooks()),
                fields.flag("keep", absent.keep()),
                fields.at("copy").map(IsolationReader::copy).orElse(absent.copy()),
                fields.at("setup").flatMap(IsolationReader::setup));
        if (!worktree) {
            return Optional.empty();
        }
        if (read.commit() == CommitEvery.NONE && phases.stream().anyMatch(EachPhase.class::isInstance)) {
            fields.at("commit")
                    .ifPresent(node -> node.wrong(
                            "an each phase needs commits, since the changes of its items are merged; write step or"
                                    + " iteration"));
        }
        return Optional.of(read);
    }

    private static Optional<String> base(DocumentNode node) {
        return node.text(
                NO_COMMIT.asPredicate().negate(),
                text -> "expected the name of a commit such as HEAD or main, found " + Wording.quoted(text));
    }

    private static Optional<String> branch(DocumentNode node) {
        Optional<String> text = node.text();
        if (text.isEmpty()) {
            return text;
        }
        List<TemplateNames.Unknown> unknown = TemplateNames.unknown(text.get(), NAMES);
        if (!unknown.isEmpty()) {
            String name = unknown.get(0).name();
            node.wrong("{{" + name + "}} is not known here; known: {{runId}}, {{name}}", NearestName.of(name, NAMES));
            return Optional.empty();
        }
        return node.text(
                IsolationReader::isBranch,
                name -> "expected the name of a branch such as " + Isolation.DEFAULTS.branch() + ", found "
                        + Wording.quoted(name));
    }

    private static boolean isBranch(String template) {
        Isolation named = new Isolation("", template, CommitEvery.STEP, false, false, List.of(), Optional.empty());
        String example = named.branchOf("a-run", "a-name");
        return !NO_BRANCH.matcher(example).find() && !isTooLong(example);
    }

    /** Git stores each part of the name as a file or folder, with a lock file beside it. */
    private static boolean isTooLong(String branch) {
        return Stream.of(branch.split("/", -1))
                .anyMatch(part -> part.getBytes(StandardCharsets.UTF_8).length > LONGEST_PART);
    }

    private static List<String> copy(DocumentNode node) {
        return node.elements().stream()
                .flatMap(element -> element
                        .text(
                                IsolationReader::stays,
                                path -> "expected a path in the workspace such as node_modules, found "
                                        + Wording.quoted(path))
                        .stream())
                .toList();
    }

    private static Optional<WorktreeSetup> setup(DocumentNode node) {
        return Fields.of(node, SETUP_KEYS).flatMap(fields -> {
            Duration timeout = fields.duration("timeout", DocumentNode.POSITIVE).orElse(WorktreeSetup.TIMEOUT);
            return fields.required("command", "name the program that prepares a worktree, e.g. [npm, ci]")
                    .flatMap(CommandReader::read)
                    .map(command -> new WorktreeSetup(command, timeout));
        });
    }

    /** Whether the path stays within the workspace and outside git's own files. */
    private static boolean stays(String path) {
        List<String> parts = List.of(path.split("/", -1));
        return !path.startsWith("/") && !parts.contains("..") && !parts.contains(".git") && !path.equals(".");
    }
}
