/** What `code` says of a NotStarted: whoever tells people of it need not load the embedded server for that. */
export const NOT_STARTED = "embedded_not_started";

/** The embedded PostgreSQL does not come up; the message says why, for people. */
export class NotStarted extends Error {
  readonly code = NOT_STARTED;
}
