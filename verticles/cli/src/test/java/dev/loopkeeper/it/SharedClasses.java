package dev.loopkeeper.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An archive of the program's classes for all virtual machines of a test run, made once and as the start script makes it:
 * each start takes a third to a half less of the processor. Where it cannot be made they start without.
 */
final class SharedClasses {
    private static final long TRAINING_MINUTES = 3;
    /** Those of the start script: warnings of the virtual machine would stand among the facts on stdout. */
    private static final List<String> QUIET = List.of("-Xlog:disable", "-Xlog:all=off:stderr", "-Xshare:auto");

    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");
    private static final List<String> OPTIONS = options(System.getProperty("loopkeeper.jar"));

    private SharedClasses() {}

    /** The beginning of a command that starts the program: Java with its options, and the jar. */
    static List<String> program() {
        List<String> command = new ArrayList<>(OPTIONS);
        command.add("-jar");
        command.add(System.getProperty("loopkeeper.jar"));
        return command;
    }

    private static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUIET);
        command.addAll(FLAGS);
        return command;
    }

    private static List<String> options(String jar) {
        List<String> options = java();
        try {
            Path folder = Files.createTempDirectory("loopkeeper-classes");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
            Path archive = folder.resolve("classes.jsa");
            train(jar, archive, Files.createDirectory(folder.resolve("work")));
            if (Files.exists(archive)) {
                options.add("-XX:SharedArchiveFile=" + archive);
                options.add("-XX:+UnlockDiagnosticVMOptions");
                options.add("-XX:ArchiveRelocationMode=0");
            }
        } catch (IOException without) {
            System.err.println("programs start without an archive of their classes: " + without);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        return List.copyOf(options);
    }

    private static void train(String jar, Path archive, Path work) throws IOException, InterruptedException {
        List<String> command = java();
        command.addAll(List.of(
                "-XX:ArchiveClassesAtExit=" + archive,
                "-cp",
                jar,
                "dev.loopkeeper.cli.Training",
                work.toString(),
                "all"));
        Process training = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!training.waitFor(TRAINING_MINUTES, TimeUnit.MINUTES)) {
            training.destroyForcibly().waitFor();
            Files.deleteIfExists(archive);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException gone) {
            System.err.println("not removed: " + gone);
        }
    }
}
