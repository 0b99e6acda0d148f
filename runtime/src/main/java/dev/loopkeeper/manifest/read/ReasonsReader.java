package dev.loopkeeper.manifest.read;

import dev.loopkeeper.manifest.ReasonSpec;
import dev.loopkeeper.step.Wording;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.ConsumerReason;
import dev.loopkeeper.termination.StandardReason;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the manifest's own terminal reason codes. */
final class ReasonsReader {
    static final List<String> KEYS = List.of("code", "category", "advice");

    private static final Pattern CODE = Pattern.compile("[a-z0-9]+(?:-[a-z0-9]+)*");
    private static final int LONGEST = 64;

    private final Set<String> codes = new HashSet<>();

    List<ReasonSpec> read(DocumentNode list) {
        return Fields.each(list, KEYS).map(this::reason).toList();
    }

    private ReasonSpec reason(Fields fields) {
        return new ReasonSpec(
                fields.required("code", "give lower case words joined by dashes, e.g. licence-expired")
                        .flatMap(this::code)
                        .orElse(""),
                fields.required("category", "choose capacity, retryable or fatal")
                        .flatMap(node -> node.choice(Choices.CATEGORY))
                        .orElse("fatal"),
                fields.at("advice").flatMap(DocumentNode::scalar).orElse(""));
    }

    private Optional<String> code(DocumentNode node) {
        Optional<String> code = node.text();
        code.flatMap(this::objection).ifPresent(node::wrong);
        return code;
    }

    private Optional<String> objection(String code) {
        if (code.length() > LONGEST || !CODE.matcher(code).matches()) {
            return Optional.of(
                    "expected lower case words joined by dashes, at most 64 characters, found " + Wording.quoted(code));
        }
        if (StandardReason.ofCode(code).isPresent()) {
            return Optional.of(code + " is a built-in reason code; choose another");
        }
        String subtype = new ConsumerReason(code, Category.FATAL, "").subtype();
        if (StandardReason.ofSubtype(subtype).isPresent()) {
            return Optional.of(
                    code + " would end a run as " + subtype + ", which is a built-in subtype; choose another");
        }
        return codes.add(code) ? Optional.empty() : Optional.of(code + " is declared twice");
    }
}
