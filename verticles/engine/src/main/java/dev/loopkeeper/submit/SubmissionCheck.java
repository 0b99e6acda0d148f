package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.CircuitBreakers;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.manifest.read.ManifestWarnings;
import dev.loopkeeper.manifest.read.SourceMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Resolves and checks one document; blocks on files. */
final class SubmissionCheck {
    private final Map<String, String> environment;
    private final Supplier<Optional<Set<String>>> handlers;

    /** @param handlers names of the registered handlers; empty: not known, and not checked */
    SubmissionCheck(Map<String, String> environment, Supplier<Optional<Set<String>>> handlers) {
        this.handlers = handlers;
        this.environment = Map.copyOf(environment);
    }

    /** The given document is changed; {@code folder} is that of the manifest file, if it is one. */
    Submission check(DocumentReading.Parsed document, Optional<Path> folder, SubmitOptions options) {
        List<ManifestProblem> problems = new ArrayList<>();
        List<ManifestProblem> ofFiles = new ArrayList<>();
        List<ManifestProblem> warnings = new ArrayList<>();
        Map<String, String> inherited =
                options.environment().map(ClientEnvironment::variables).orElse(environment);
        BaseFolders folders = BaseFolders.NONE;
        if (document.document() instanceof ObjectNode root) {
            Overrides.apply(document, options.overrides(), problems);
            putVars(root, options.vars());
            options.vars().keySet().forEach(name -> unknown(document, "vars", name));
            options.workspace().ifPresent(given -> unknown(document, "workspace"));
            folders = BaseFolders.find(root, folder, options.workspace(), ofFiles);
            folders.baseDir().ifPresent(baseDir -> ItemsFiles.check(root, baseDir, ofFiles));
            warnings.addAll(new FileChecks(root, folders, inherited, ofFiles).run());
        }
        return conclude(document, folders, inherited, problems, ofFiles, warnings);
    }

    private Submission conclude(
            DocumentReading.Parsed parsed,
            BaseFolders folders,
            Map<String, String> inherited,
            List<ManifestProblem> problems,
            List<ManifestProblem> ofFiles,
            List<ManifestProblem> warnings) {
        JsonNode document = parsed.document();
        ManifestReading reading = ManifestReader.read(document, parsed.sources());
        if (reading instanceof ManifestReading.Invalid invalid) {
            problems.addAll(invalid.problems());
            Set<String> refused =
                    invalid.problems().stream().map(ManifestProblem::path).collect(Collectors.toSet());
            ofFiles.removeIf(problem -> refused.contains(problem.path())); // a wrong value is reported once
        }
        problems.addAll(ofFiles);
        if (reading instanceof ManifestReading.Valid valid) {
            problems.addAll(LaunchSize.problems(valid.manifest(), inherited));
            handlers.get().ifPresent(names -> problems.addAll(HandlerCheck.problems(valid.manifest(), names)));
        }
        if (!problems.isEmpty()) {
            return new Submission.Refused(located(problems, parsed.sources()));
        }
        Manifest manifest = resolved((ObjectNode) document, ((ManifestReading.Valid) reading).manifest());
        warnings.addAll(LostConcerns.of(manifest, folders.baseDir().orElseThrow()));
        warnings.addAll(0, ManifestWarnings.of(document, manifest));
        return new Submission.Accepted(
                document,
                manifest,
                folders.workspace().orElseThrow().toString(),
                folders.baseDir().orElseThrow().toString(),
                located(warnings, parsed.sources()));
    }

    private static List<ManifestProblem> located(List<ManifestProblem> problems, SourceMap sources) {
        return problems.stream().map(problem -> problem.located(sources)).toList();
    }

    /** An option of the caller's, whose name is not known here. */
    private static void unknown(DocumentReading.Parsed document, String... path) {
        document.sources().put(List.of(path), SourceMap.unknown());
    }

    /** The manifest with the defaults that depend on other parts of it. */
    private static Manifest resolved(ObjectNode document, Manifest manifest) {
        boolean changed = CircuitBreakers.resolve(document, manifest);
        return changed && ManifestReader.read(document) instanceof ManifestReading.Valid valid
                ? valid.manifest()
                : manifest;
    }

    private static void putVars(ObjectNode root, Map<String, String> vars) {
        if (!vars.isEmpty() && !root.hasNonNull("vars")) {
            root.putObject("vars");
        }
        // The reader reports anything but a map.
        if (root.get("vars") instanceof ObjectNode map) {
            vars.forEach(map::put);
        }
    }
}
