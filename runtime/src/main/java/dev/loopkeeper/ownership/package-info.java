/**
 * Who may carry a run out in a cluster: the lease of a node, what others must have seen before they take its runs over,
 * what the warden beside a runtime does, which node may have which run.
 *
 * <p>Belongs here: every rule of it, as values and functions of inputs with their time. Does not: the rows and statements
 * of the database, processes, timers (whoever acts feeds the inputs and carries the commands out), and anything about what
 * is in a run.
 *
 * <p>The rules and their reasons: {@code docs/cluster.md}.
 */
@CheckReturnValue
package dev.loopkeeper.ownership;

import com.google.errorprone.annotations.CheckReturnValue;
