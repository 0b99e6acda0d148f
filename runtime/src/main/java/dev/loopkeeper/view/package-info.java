/**
 * Shows runs to people and programs: records with the field names of the API's JSON.
 *
 * <p>Belongs here: those records and functions of one of them. Does not: gathering them from a run's state and events,
 * or writing them.
 */
@CheckReturnValue
package dev.loopkeeper.view;

import com.google.errorprone.annotations.CheckReturnValue;
