package dev.loopkeeper;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The drawing of the packages in docs/architecture.md holds: a package sees those in lines below its own, no other. */
class ArchitectureTest {
    private static final Path DOCUMENT = Path.of("../../docs/architecture.md");
    private static final String BASE = "dev.loopkeeper.";
    private static final Pattern DRAWING = Pattern.compile("```drawing\n(.*?)```", Pattern.DOTALL);
    private static final Set<String> MODULES =
            Set.of("runtime", "engine", "opentelemetry", "cluster", "gateway", "cli");

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.loopkeeper");

    @Test
    void aPackageSeesOnlyThoseBelowIt() throws IOException {
        Map<String, Integer> lines = drawing();
        Set<String> upwards = new TreeSet<>();
        for (JavaClass type : PRODUCT.that(describe("ours", ArchitectureTest::ours))) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass seen = dependency.getTargetClass().getBaseComponentType();
                if (ours(seen) && !packageOf(seen).equals(packageOf(type)) && line(lines, type) <= line(lines, seen)) {
                    upwards.add(packageOf(type) + " -> " + packageOf(seen) + ": " + dependency.getDescription());
                }
            }
        }
        assertThat(upwards).isEmpty();
    }

    @Test
    void everyPackageIsDrawnAndIsThere() throws IOException {
        Set<String> there = PRODUCT.stream()
                .filter(ArchitectureTest::ours)
                .map(ArchitectureTest::packageOf)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(drawing().keySet()).containsExactlyInAnyOrderElementsOf(there);
    }

    private static boolean ours(JavaClass type) {
        return type.getPackageName().startsWith(BASE);
    }

    private static String packageOf(JavaClass type) {
        return type.getPackageName().substring(BASE.length());
    }

    private static int line(Map<String, Integer> lines, JavaClass type) {
        return lines.getOrDefault(packageOf(type), -1);
    }

    /** The height of each package, the bottom being 0. */
    private static Map<String, Integer> drawing() throws IOException {
        var drawing = DRAWING.matcher(Files.readString(DOCUMENT));
        assertThat(drawing.find()).as("a drawing in %s", DOCUMENT).isTrue();
        List<String> text = drawing.group(1).lines().toList();
        Map<String, Integer> lines = new LinkedHashMap<>();
        for (int index = 0; index < text.size(); index++) {
            // The name of a module stands at the beginning of its first line.
            String line = text.get(index);
            String module = line.split(" ", 2)[0];
            String packages = MODULES.contains(module) ? line.substring(module.length()) : line;
            int height = text.size() - 1 - index;
            Arrays.stream(packages.split("·"))
                    .map(String::trim)
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> assertThat(lines.put(name, height))
                            .as("%s is drawn once", name)
                            .isNull());
        }
        return lines;
    }
}
