/**
 * Who may use the server, and how much: TLS, tokens, allowed workspaces, limits of requests and connections, and the
 * checks of these options before the server listens.
 *
 * <p>Does not belong here: a route ({@code gateway}).
 */
@CheckReturnValue
package dev.loopkeeper.gateway.access;

import com.google.errorprone.annotations.CheckReturnValue;
