/**
 * A node of a cluster: its lease, its runs, and its requests to other nodes.
 *
 * <p>Contains the effects of the rules in {@code ownership} and the routing of commands to other nodes. The rules
 * themselves are in {@code ownership}, SQL statements in {@code store.postgres}.
 */
@CheckReturnValue
package dev.loopkeeper.cluster;

import com.google.errorprone.annotations.CheckReturnValue;
