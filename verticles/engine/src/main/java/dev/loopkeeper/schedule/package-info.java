/**
 * Fires the schedules of the policy.
 *
 * <p>Belongs here: recording fires and submitting their runs. Does not: when a schedule fires and what a fire does
 * ({@code policy}).
 */
@CheckReturnValue
package dev.loopkeeper.schedule;

import com.google.errorprone.annotations.CheckReturnValue;
