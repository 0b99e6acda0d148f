package dev.loopkeeper.it;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An archive of the program's classes for all virtual machines of a test run, made by a first run, once for each jar, beside it:
 * each later start takes a third to a half less of the processor. Where it cannot be made they start without.
 */
public final class SharedClasses {
    private static final long MINUTES = 3;
    /** Those of the start script: warnings of the virtual machine would stand among the facts on stdout. */
    private static final List<String> QUIET = List.of("-Xlog:disable", "-XX:+DisplayVMOutputToStderr");

    private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");
    private static final List<String> USE =
            use(Path.of(System.getProperty("loopkeeper.jar")).toAbsolutePath());

    private SharedClasses() {}

    /** The beginning of a command that starts the program: Java with its options, and the jar. */
    public static List<String> program() {
        List<String> command = java();
        command.addAll(USE);
        command.add("-jar");
        command.add(System.getProperty("loopkeeper.jar"));
        return command;
    }

    /** Options of a virtual machine that loads from the archive. */
    static List<String> use() {
        return USE;
    }

    private static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUIET);
        command.addAll(FLAGS);
        return command;
    }

    private static List<String> use(Path jar) {
        Path archive = jar.resolveSibling("test-classes.jsa");
        try (FileChannel file = FileChannel.open(jar.resolveSibling("test-classes.lock"), CREATE, WRITE);
                FileLock lock = file.lock()) {
            assertThat(lock.isValid()).isTrue();
            if (!isNewer(archive, jar)) {
                Files.deleteIfExists(archive);
                make(jar, archive, Files.createTempDirectory(jar.getParent(), "classes-of-a-run"));
            }
        } catch (IOException without) {
            System.err.println("programs start without an archive of their classes: " + without);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
        return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
    }

    private static boolean isNewer(Path archive, Path jar) throws IOException {
        return Files.exists(archive)
                && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) > 0;
    }

    private static void make(Path jar, Path archive, Path work) throws IOException, InterruptedException {
        Path manifest = Files.writeString(
                work.resolve("loopkeeper.yaml"),
                "name: first\nagents: {dev: {command: echo hi}}\nphases: [{name: only, task: dev}]\n");
        Path classes = work.resolve("classes");
        List<String> run = java();
        run.addAll(List.of("-XX:DumpLoadedClassList=" + classes, "-jar", jar.toString(), "run"));
        run.addAll(List.of(manifest.toString(), "--data", work.resolve("data").toString()));
        finish(run);
        // Java 17 crashes on a lambda whose interface it leaves out because it is compiled for Java 5, as those of
        // picocli.
        Files.write(
                classes,
                Files.readAllLines(classes).stream()
                        .filter(line -> !line.startsWith("@lambda") || !line.contains("picocli"))
                        .toList());
        List<String> dump = java();
        dump.addAll(List.of("-Xshare:dump", "-XX:SharedClassListFile=" + classes));
        dump.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-jar", jar.toString()));
        try {
            finish(dump);
        } catch (IOException incomplete) {
            Files.deleteIfExists(archive);
            throw incomplete;
        }
    }

    private static void finish(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        if (process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + process.exitValue());
        }
    }
}
