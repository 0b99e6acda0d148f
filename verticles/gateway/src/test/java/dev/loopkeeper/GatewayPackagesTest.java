package dev.loopkeeper;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.loopkeeper.gateway.Gateway;
import org.junit.jupiter.api.Test;

/** What serves HTTP asks the verticles over the bus, as everybody does. */
class GatewayPackagesTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importUrl(Gateway.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void itsPackagesFormNoCycle() {
        slices().matching("dev.loopkeeper.(**)").should().beFreeOfCycles().check(MODULE);
    }

    @Test
    void itSeesNoCommandLineAndNoLoggingBackend() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "ch.qos.logback..")
                .check(MODULE);
    }

    @Test
    void itCallsNoVerticleButOverTheBus() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.loopkeeper.scheduler..",
                        "dev.loopkeeper.process..",
                        "dev.loopkeeper.signal..",
                        "dev.loopkeeper.control..",
                        "dev.loopkeeper.notify..",
                        "dev.loopkeeper.retention..")
                .check(MODULE);
    }
}
