package dev.loopkeeper.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.verdict.Signal;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the public packages with {@code public-api.txt}, which has what they offered at the last change. There is no
 * released jar to compare with.
 */
class SignaturesTest {
    private static final Path LISTED = Path.of("public-api.txt");
    private static final Path REMOVED = Path.of("public-api-removed.txt");
    /** Between a removed signature and the reason. */
    private static final String REASON = " # ";
    /** Interfaces between modules, in a public package. */
    private static final Set<String> INTERNAL = Set.of("LoopkeeperPart", "Membership", "StoreOpener");

    @Test
    void nothingPublicIsRemovedOrChangedWithoutAReason() throws Exception {
        Set<String> now = signatures();
        Set<String> listed = lines(LISTED).collect(Collectors.toCollection(TreeSet::new));
        Set<String> excused = lines(REMOVED)
                .filter(line -> line.contains(REASON) && !line.endsWith(REASON))
                .map(line -> line.substring(0, line.indexOf(REASON)))
                .collect(Collectors.toSet());

        Set<String> lost = new TreeSet<>(listed);
        lost.removeAll(now);
        lost.removeAll(excused);
        assertThat(lost)
                .as("keep these for embedding programs, or add each to %s with its reason behind '%s'", REMOVED, REASON)
                .isEmpty();
        if (Boolean.getBoolean("loopkeeper.write")) {
            Files.write(LISTED, now);
        }
        assertThat(lines(LISTED))
                .as("%s; run this test with -Dloopkeeper.write=true to write it", LISTED)
                .containsExactlyElementsOf(now);
    }

    private static Stream<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().filter(line -> !line.isBlank());
    }

    private static Set<String> signatures() throws Exception {
        Set<String> all = new TreeSet<>();
        for (Class<?> module : new Class<?>[] {Signal.class, Loopkeeper.class}) {
            Path classes = Path.of(
                    module.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(classes)) {
                add(classes, all);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(classes)) {
                    add(jar.getPath("/"), all);
                }
            }
        }
        return all;
    }

    private static void add(Path root, Set<String> all) throws Exception {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = root.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
                String packageName = name.substring(0, Math.max(0, name.lastIndexOf('.')));
                String simpleName = name.substring(packageName.length() + 1);
                if (PublicApiTest.isPublic(packageName, name) && !INTERNAL.contains(simpleName)) {
                    describe(Class.forName(name, false, SignaturesTest.class.getClassLoader()))
                            .forEach(all::add);
                }
            }
        }
    }

    private static Stream<String> describe(Class<?> type) {
        if (!isOpen(type) || type.getName().contains("Builder")) {
            return Stream.empty();
        }
        String supertypes = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(Type::getTypeName)
                .filter(name -> !name.startsWith("java.lang.") && !name.contains("Builder$"))
                .collect(Collectors.joining(", "));
        String kind = Modifier.toString(type.getModifiers())
                .replaceAll("public|protected|static", "")
                .strip();
        return Stream.concat(
                Stream.of(type.getName() + ": " + (kind + " " + supertypes).strip()),
                Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
                        .flatMap(Arrays::stream)
                        .filter(member -> isShown(type, (Member) member))
                        .map(member -> type.getName() + " " + signature((Member) member)));
    }

    private static boolean isOpen(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getEnclosingClass() == null || isOpen(type.getEnclosingClass()));
    }

    /** Results are records that get new parts, so their constructors are for Loopkeeper alone. */
    private static boolean isShown(Class<?> type, Member member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                && !member.isSynthetic()
                && !(type.isRecord() && (member instanceof Constructor<?> || isOfObject(member)));
    }

    private static boolean isOfObject(Member member) {
        return Set.of("equals", "hashCode", "toString").contains(member.getName());
    }

    private static String signature(Member member) {
        String modifiers = Modifier.isStatic(member.getModifiers()) ? "static " : "";
        if (member instanceof Field field) {
            return modifiers + field.getGenericType().getTypeName() + " " + field.getName();
        }
        String parameters = Arrays.stream(((Executable) member).getGenericParameterTypes())
                .map(Type::getTypeName)
                .collect(Collectors.joining(", ", "(", ")"));
        return member instanceof Method method
                ? modifiers + method.getGenericReturnType().getTypeName() + " " + method.getName() + parameters
                : "new" + parameters;
    }
}
