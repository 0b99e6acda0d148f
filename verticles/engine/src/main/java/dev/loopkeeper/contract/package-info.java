/**
 * Typed messages between the verticles: a record, a wire form, one channel each.
 *
 * <p>One class per subject contains its channels, each with its request and answer: {@link
 * dev.loopkeeper.contract.RunChannels}, {@link dev.loopkeeper.contract.SchedulerChannels}, {@link
 * dev.loopkeeper.contract.ProcessChannels}, {@link dev.loopkeeper.contract.SignalChannels}, {@link
 * dev.loopkeeper.contract.WorktreeChannels}, {@link dev.loopkeeper.contract.CheckoutChannels}, {@link
 * dev.loopkeeper.contract.NodeChannels}. Those of the store are in {@code store}.
 */
@CheckReturnValue
package dev.loopkeeper.contract;

import com.google.errorprone.annotations.CheckReturnValue;
