/**
 * Value of `code` in a NotStarted error. Code that reports the error need not load the embedded
 * server.
 */
export const NOT_STARTED = "embedded_not_started";

/**
 * Thrown when the embedded PostgreSQL does not start. The message contains the reason in readable
 * form.
 */
export class NotStarted extends Error {
  readonly code = NOT_STARTED;
}
