package dev.loopkeeper.submit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.read.ManifestProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where a run's relative paths start.
 *
 * @param baseDir the manifest's folder, absolute; absent when there is none
 * @param workspace absolute and without symbolic links; absent when it cannot be used
 */
record BaseFolders(Optional<Path> baseDir, Optional<Path> workspace) {
    static final String USER = "user " + System.getProperty("user.name");

    static final BaseFolders NONE = new BaseFolders(Optional.empty(), Optional.empty());

    /**
     * The option outranks the manifest; for a document without a file it is absolute. Without both, such a document uses
     * the current folder of this process.
     */
    static BaseFolders find(
            ObjectNode document, Optional<Path> folder, Optional<String> option, List<ManifestProblem> problems) {
        Optional<String> said =
                option.or(() -> Optional.ofNullable(document.path("workspace").textValue()));
        String unsaid = folder.isPresent() ? "." : System.getProperty("user.dir");
        try {
            Path chosen = Path.of(said.orElse(unsaid));
            Optional<Path> start = option.isPresent() ? folder.map(unused -> Path.of("")) : folder;
            if (start.isEmpty() && !chosen.isAbsolute()) {
                String message = "expected the absolute path of a folder, since there is no manifest file that \""
                        + chosen + "\" could be relative to";
                problems.add(ManifestProblem.at("workspace", message));
                return NONE;
            }
            Path absolute =
                    start.orElse(chosen).resolve(chosen).toAbsolutePath().normalize();
            Optional<Path> workspace = usable(absolute, problems);
            return new BaseFolders(folder.or(() -> workspace), workspace);
        } catch (InvalidPathException noPath) {
            problems.add(ManifestProblem.at("workspace", "expected the path of a folder"));
            return new BaseFolders(folder, Optional.empty());
        }
    }

    private static Optional<Path> usable(Path workspace, List<ManifestProblem> problems) {
        Optional<String> objection = objection(workspace);
        objection.ifPresent(message -> problems.add(ManifestProblem.at("workspace", message)));
        try {
            return objection.isPresent() ? Optional.empty() : Optional.of(workspace.toRealPath());
        } catch (IOException vanished) {
            problems.add(ManifestProblem.at("workspace", "the folder " + workspace + " cannot be resolved"));
            return Optional.empty();
        }
    }

    private static Optional<String> objection(Path workspace) {
        if (!Files.exists(workspace) && !Files.notExists(workspace)) {
            return Optional.of(USER + " cannot enter a folder above " + workspace
                    + "; let that user enter it, or name another workspace");
        }
        if (!Files.exists(workspace)) {
            return Optional.of("there is no folder " + workspace + "; create it");
        }
        if (!Files.isDirectory(workspace)) {
            return Optional.of(workspace + " is not a folder");
        }
        boolean usable = Files.isWritable(workspace) && Files.isReadable(workspace) && Files.isExecutable(workspace);
        return usable
                ? Optional.empty()
                : Optional.of(USER + ", who runs the agents, may not read, write and enter " + workspace + ", owned by "
                        + owner(workspace) + "; give that user access (sudo setfacl -R -m u:"
                        + System.getProperty("user.name") + ":rwX " + workspace
                        + "), run Loopkeeper as " + owner(workspace) + ", or name another workspace");
    }

    private static String owner(Path path) {
        try {
            return Files.getOwner(path).getName();
        } catch (IOException | UnsupportedOperationException unknown) {
            return "an unknown user";
        }
    }
}
