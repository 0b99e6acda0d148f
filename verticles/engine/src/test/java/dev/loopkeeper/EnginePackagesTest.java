package dev.loopkeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.loopkeeper.embed.Loopkeeper;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What an embedder depends on knows neither the command line nor the web, and its verticles meet on the bus alone. */
class EnginePackagesTest {
    private static final List<String> VERTICLES =
            List.of("process", "signal", "scheduler", "control", "notify", "retention", "worktree");
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importUrl(Loopkeeper.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void itsPackagesFormNoCycle() {
        slices().matching("dev.loopkeeper.(**)").should().beFreeOfCycles().check(MODULE);
    }

    @Test
    void itSeesNoCommandLineNoLoggingBackendNoWebAndNoMetrics() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "ch.qos.logback..", "io.vertx.ext.web..", "io.micrometer..")
                .check(MODULE);
    }

    @TestFactory
    List<DynamicTest> verticlesCallNoClassesOfEachOther() {
        return VERTICLES.stream()
                .map(verticle -> DynamicTest.dynamicTest(
                        verticle,
                        () -> noClasses()
                                .that()
                                .resideInAPackage("dev.loopkeeper." + verticle)
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(VERTICLES.stream()
                                        .filter(other -> !other.equals(verticle))
                                        .map(other -> "dev.loopkeeper." + other)
                                        .toArray(String[]::new))
                                .check(MODULE)))
                .toList();
    }
}
