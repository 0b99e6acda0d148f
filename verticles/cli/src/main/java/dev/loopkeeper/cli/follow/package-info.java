/**
 * Follows runs: reads the feed of a server, also after it restarted, and reports at the end what to do next.
 *
 * <p>Does not belong here: single requests to a server ({@code cli.session}).
 */
@CheckReturnValue
package dev.loopkeeper.cli.follow;

import com.google.errorprone.annotations.CheckReturnValue;
