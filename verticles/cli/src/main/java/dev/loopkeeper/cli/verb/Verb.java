package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.Arguments;
import java.util.concurrent.Callable;

/** A command that is typed behind the name of the program; called when what it takes is in its fields. */
public interface Verb extends Callable<Integer> {
    /** Its name, what its help tells, and what it takes. */
    Arguments arguments();
}
