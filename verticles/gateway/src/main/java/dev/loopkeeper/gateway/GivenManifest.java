package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.manifest.ManifestFile;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the members {@code manifest} and {@code manifestFile} of a request. */
final class GivenManifest {
    private static final Set<String> OF_FILE = Set.of("path", "sha256");
    private static final Pattern PATH = Pattern.compile("/[^\\x00]{0,4095}", Pattern.DOTALL);
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private GivenManifest() {}

    static JsonNode of(StrictObject body) {
        JsonNode manifest = body.any("manifest")
                .orElseThrow(() -> Problem.invalidAt("manifest", "is missing; give an object, or YAML in a string"));
        body.require(manifest.isObject() || manifest.isTextual(), "manifest", "must be an object, or YAML in a string");
        return manifest;
    }

    /** Returns the path from which the client read the manifest; the server records it only. */
    static Optional<ManifestFile> file(StrictObject body) {
        if (body.any("manifestFile").isEmpty()) {
            return Optional.empty();
        }
        StrictObject given = body.inside("manifestFile", OF_FILE);
        Optional<String> path = given.text("path");
        Optional<String> sum = given.text("sha256");
        boolean validSum = sum.isEmpty() || SHA_256.matcher(sum.get()).matches();
        given.require(validSum, "sha256", "must be 64 digits 0-9 and a-f");
        boolean validPath = path.isPresent() && PATH.matcher(path.get()).matches();
        given.require(validPath, "path", "must be an absolute path of at most 4096 characters");
        given.require(sum.isPresent(), "sha256", "must be 64 digits 0-9 and a-f");
        return Optional.of(new ManifestFile(path.get(), sum.get()));
    }

    static Future<Submission.Accepted> ready(Submission submission) {
        if (submission instanceof Submission.Refused refused) {
            return Future.failedFuture(invalid(refused.problems()));
        }
        return Future.succeededFuture((Submission.Accepted) submission);
    }

    private static Problem invalid(List<ManifestProblem> problems) {
        return invalid(RefusalCode.INVALID_MANIFEST, "the manifest", problems);
    }

    static Problem invalid(RefusalCode code, String document, List<ManifestProblem> problems) {
        Map<String, Object> details =
                Map.of("errors", problems.stream().map(ManifestProblem::json).toList());
        String detail = document + " has " + problems.size() + (problems.size() == 1 ? " problem" : " problems");
        return new Problem(new Refusal(code, detail, details));
    }
}
