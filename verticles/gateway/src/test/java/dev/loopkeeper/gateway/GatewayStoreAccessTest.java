package dev.loopkeeper.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.loopkeeper.gateway.access.GatewayOptions;
import org.junit.jupiter.api.Test;

/** The gateway knows the port of the store alone. */
class GatewayStoreAccessTest {
    @Test
    void seesNoImplementationOfTheStore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.loopkeeper.store.sqlite..", "org.sqlite..", "java.sql..", "javax.sql..")
                .check(new ClassFileImporter()
                        .importUrl(GatewayOptions.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()));
    }
}
