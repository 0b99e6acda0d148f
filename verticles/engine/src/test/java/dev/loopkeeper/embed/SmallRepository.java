package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A git repository with {@code list.txt} in one commit on {@code main}, whatever the machine's own settings of git are. */
public record SmallRepository(Path folder) {
    private static final Map<String, String> OWN = Map.of(
            "GIT_CONFIG_GLOBAL", "/dev/null",
            "GIT_CONFIG_SYSTEM", "/dev/null",
            "HOME", "/nonexistent",
            "XDG_CONFIG_HOME", "/nonexistent",
            "LC_ALL", "C");

    /** In this folder, which is made. */
    @CanIgnoreReturnValue
    public static SmallRepository in(Path folder) throws IOException {
        Files.createDirectories(folder);
        SmallRepository made = new SmallRepository(folder.toRealPath());
        Files.writeString(made.folder.resolve("list.txt"), "first\n");
        made.git("init", "--quiet", "--initial-branch=main");
        made.git("config", "user.name", "Ada");
        made.git("config", "user.email", "ada@example.org");
        made.git("add", "--all");
        made.git("commit", "--quiet", "--message", "base");
        return made;
    }

    /** What it says; fails unless it ends well. */
    @CanIgnoreReturnValue
    public String git(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().putAll(OWN);
        Process git = builder.start();
        git.getOutputStream().close();
        String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            assertThat(git.waitFor()).as(text).isZero();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            throw new AssertionError(asked);
        }
        return text;
    }
}
