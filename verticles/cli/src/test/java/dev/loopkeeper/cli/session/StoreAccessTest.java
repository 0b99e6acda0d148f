package dev.loopkeeper.cli.session;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Who reads or owns a folder without a server opens the embedded store, and sees no more of it than the port. */
class StoreAccessTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importUrl(RootCommand.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void seesNoDatabase() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.sqlite..", "java.sql..", "javax.sql..")
                .check(MODULE);
    }

    @Test
    void theEmbeddedStoreIsOpenedInThreePlaces() {
        noClasses()
                .that()
                .doNotHaveSimpleName("ExclusiveFolder")
                .and()
                .doNotHaveSimpleName("StoreFacts")
                .and()
                .doNotHaveSimpleName("MachineChecks")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.loopkeeper.store.sqlite")
                .check(MODULE);
    }
}
