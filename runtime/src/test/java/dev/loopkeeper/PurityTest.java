package dev.loopkeeper;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The module decides and does nothing else: no I/O, no clock, no threads, no chance. */
class PurityTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.loopkeeper");

    @Test
    void itKnowsNeitherVertxNorFilesNorProcessesNorThreads() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..", "java.util.concurrent..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.(Process.*|Thread|Runtime)")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.(net\\.(Server)?Socket|io\\.(RandomAccessFile|FileReader|FileWriter|File(In|Out)putStream))")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Files.class, File.class)
                .check(MODULE);
    }

    @Test
    void itsPackagesFormNoCycle() {
        slices().matching("dev.loopkeeper.(**)").should().beFreeOfCycles().check(MODULE);
    }

    /** The generated copy methods are public. */
    @Test
    void onlyEventsChangeTheStateOfARun() {
        Pattern copies = Pattern.compile("dev\\.loopkeeper\\.run\\.(RunState|Cursor|Ledger)Builder.*");
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.loopkeeper.run")
                .should()
                .callMethodWhere(describe(
                        "it is a copy method of a part of the state",
                        call -> call.getTarget()
                                .resolveMember()
                                .filter(method -> copies.matcher(
                                                method.getOwner().getName())
                                        .matches())
                                .isPresent()))
                .check(MODULE);
    }

    @Test
    void takesTheTimeFromItsInputsOnly() {
        noClasses()
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class)
                .check(MODULE);
    }

    @Test
    void itLeavesNothingToChance() {
        noClasses()
                .should()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Random.class)
                .check(MODULE);
    }
}
