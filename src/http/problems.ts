import type { FastifyReply } from "fastify";
import type { ProblemDocument } from "#api/shapes.ts";
import { outageOf } from "#ledger/outage.ts";
import type { Result } from "#result.ts";

/** Every way in which the API refuses. A code is for ever: programs look at it. */
// biome-ignore format: the columns are the point
export const PROBLEMS = {
  invalid_request:    { status: 400, title: "The request is not as the API describes it" },
  not_signed_in:      { status: 401, title: "Nobody is signed in" },
  session_ended:      { status: 401, title: "The session has ended" },
  key_refused:        { status: 401, title: "This API key is unknown, revoked or expired" },
  wrong_credentials:  { status: 401, title: "E-mail, password or code is wrong" },
  code_required:      { status: 401, title: "The code of the second factor is needed" },
  forbidden:          { status: 403, title: "This is not allowed to you" },
  people_only:        { status: 403, title: "This needs a person, not an API key" },
  step_up_required:   { status: 403, title: "This needs a fresh proof of who you are" },
  wrong_proof:        { status: 403, title: "This proof is wrong, or was used before" },
  own_roles:          { status: 403, title: "Nobody changes what they themselves may do: ask another admin" },
  own_change:         { status: 403, title: "You have proposed it: another admin confirms it" },
  foreign_request:    { status: 403, title: "The request does not come from payrun's own pages" },
  own_closing:        { status: 403, title: "It is your word: another approver agrees" },
  own_batch:          { status: 403, title: "You brought or edited this batch: somebody else approves it" },
  not_an_approver:    { status: 403, title: "You are not an approver" },
  not_found:          { status: 404, title: "There is no such thing" },
  wrong_state:        { status: 409, title: "Its state does not allow this now" },
  approved_already:   { status: 409, title: "You have approved it already" },
  limit_reached:      { status: 409, title: "It would pass a limit, or its money is not known to be there" },
  repeats_payments:   { status: 409, title: "It pays again what another batch pays: somebody says why, and somebody else approves it" },
  quarantined:        { status: 409, title: "The batch is in quarantine: a restored ledger may have forgotten that it was paid" },
  not_quarantined:    { status: 409, title: "The batch is not in quarantine" },
  decisions_missing:  { status: 409, title: "Decide about every batch in quarantine and every lost batch first" },
  nothing_repeats:    { status: 409, title: "It repeats nothing that was approved lately" },
  not_looked_through: { status: 409, title: "It is still being looked through for what is unusual" },
  content_changed:    { status: 409, title: "It was changed since you opened it" },
  ledger_frozen:      { status: 409, title: "The ledger is frozen: it may not know what was sent" },
  no_canary:          { status: 409, title: "Nothing of it waits for a canary" },
  canary_failed:      { status: 409, title: "Its canary has not settled: release the rest, or cancel it" },
  wrong_method:       { status: 405, title: "This address takes other methods" },
  board_is_read_only: { status: 405, title: "The queue board shows and does nothing" },
  lane_not_paused:    { status: 409, title: "No person has paused this" },
  lane_not_stopped:   { status: 409, title: "This lane is not stopped" },
  ledger_not_frozen:  { status: 409, title: "The ledger is not frozen" },
  ledger_still_frozen: { status: 409, title: "Something changed meanwhile, or open payouts were not asked for yet" },
  view_name_taken:    { status: 409, title: "You have a view with this name on this page" },
  too_many_views:     { status: 409, title: "You have as many views as are kept" },
  email_taken:        { status: 409, title: "There is a user with this e-mail" },
  user_disabled:      { status: 409, title: "This user is disabled" },
  second_admin_needed: { status: 409, title: "This takes a second admin: propose it, and another one confirms it" },
  second_admin_not_needed: { status: 409, title: "This needs no second admin: it can be done at once" },
  change_expired:     { status: 410, title: "Nobody has confirmed it in time: propose it again" },
  last_admin:         { status: 409, title: "This is the last admin who can sign in" },
  link_void:          { status: 410, title: "This link was used, has expired, or was replaced by a newer one" },
  unknown_host:       { status: 421, title: "This server does not answer for this host name" },
  too_large:          { status: 413, title: "The request is too large" },
  unsupported_type:   { status: 415, title: "The content type is not one that is read here" },
  totals_differ:      { status: 422, title: "The totals given are not those of the batch" },
  weak_password:      { status: 422, title: "This password is too easy to guess" },
  bad_expiry:         { status: 422, title: "A key ends within a year" },
  snooze_too_long:    { status: 422, title: "Nothing is snoozed for longer than 90 days" },
  time_is_over:       { status: 422, title: "This time is over" },
  not_later:          { status: 422, title: "This time is not later than the one now planned" },
  send_time_differs:  { status: 409, title: "Others have approved it to go out at another time, or to count for another while" },
  too_many_tries:     { status: 429, title: "Too many wrong tries" },
  too_many_searches:  { status: 429, title: "Too many searches by account: wait before the next one" },
  too_many_streams:   { status: 429, title: "This session watches in too many places at once" },
  too_many_files:     { status: 429, title: "Too many of your files are on the way, or came just before: try again in some seconds" },
  request_running:    { status: 409, title: "The same request is still being worked on" },
  submitted_already:  { status: 409, title: "It was submitted for approval already" },
  nothing_declined:   { status: 409, title: "Nothing of it was declined that may be paid again" },
  paid_again_already: { status: 409, title: "What was declined went into other batches already" },
  none_passes:        { status: 422, title: "No declined row passes the checks as they are today" },
  other_batch:        { status: 409, title: "This file is another batch" },
  key_reused:         { status: 422, title: "This Idempotency-Key belongs to another request" },
  file_refused:       { status: 422, title: "The file cannot be taken in" },
  not_ready:          { status: 422, title: "The batch cannot be submitted as it stands" },
  schedule_exists:    { status: 409, title: "There is a schedule that does the same" },
  list_is_scheduled:  { status: 409, title: "Another schedule pays the same list" },
  folder_refused:     { status: 422, title: "No file can arrive there" },
  workbook_only:      { status: 422, title: "This file comes as a workbook only" },
  deposit_refused:    { status: 422, title: "The deposit cannot be asked for like this" },
  numbers_not_compared: { status: 422, title: "Numbers of a spreadsheet are to be compared first" },
  target_refused:     { status: 422, title: "Nothing is sent to this address" },
  not_taken:          { status: 503, title: "The gateway did not take it this time" },
  database_away:      { status: 503, title: "The database does not do what it is asked now" },
  no_room:            { status: 507, title: "The server cannot keep a file now" },
  unexpected:         { status: 500, title: "Something went wrong on our side" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A refusal, thrown wherever it is found; the answer is application/problem+json (RFC 9457). */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  /** @param more `detail` for people, and members that programs may read. */
  constructor(
    code: ProblemCode,
    more: Readonly<Record<string, unknown>> & { readonly detail?: string } = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(more.detail ?? PROBLEMS[code].title);
    this.code = code;
    this.more = more;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  document(): ProblemDocument {
    const { status, title } = PROBLEMS[this.code];
    return {
      ...this.more,
      type: `urn:payrun:problem:${this.code}`,
      title,
      status,
      code: this.code,
    };
  }
}

/** How one may say who one is; RFC 9110 asks for it beside every 401. No browser opens a window for it. */
const CHALLENGE = { "www-authenticate": 'Bearer realm="payrun"' };

export const answerProblem = (reply: FastifyReply, problem: Problem): FastifyReply =>
  reply
    .code(problem.status)
    .headers(problem.status === 401 ? { ...CHALLENGE, ...problem.headers } : problem.headers)
    .type("application/problem+json")
    .send(JSON.stringify(problem.document()));

/** What a flow has done, or its refusal as the answer. */
export function orRefuse<T>(done: Result<T, ProblemCode>): T {
  if (!done.ok) throw new Problem(done.error);
  return done.value;
}

/** Of a body that is no uploaded file. */
export const BODY_BYTES_MAX = 64 * 1024;

/** Refusals of the framework and its plugins by status. A 4xx that is not listed is an invalid request. */
const FRAMEWORK: Readonly<Record<number, ProblemCode>> = {
  403: "not_found", // a path that leads out of a folder of files
  404: "not_found",
  413: "too_large",
  414: "not_found", // a part of the path is longer than any id
  415: "unsupported_type",
};

function frameworkCode(error: Error): ProblemCode | null {
  const status = "statusCode" in error ? Number(error.statusCode) : 0;
  return status >= 400 && status < 500 ? (FRAMEWORK[status] ?? "invalid_request") : null;
}

/** Null: this is no refusal but a fault. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return null;
  const outage = outageOf(error);
  if (outage) {
    // Of a commit whose answer was lost nobody knows.
    const detail = `${outage.says}. A change that was asked for may have been made, or not: look, before you ask for it again.`;
    return new Problem("database_away", { detail });
  }
  const code = frameworkCode(error);
  if (code === null) return null;
  if (code === "not_found") return new Problem(code);
  const isTooLarge = code === "too_large";
  const detail = isTooLarge
    ? `A body that is no file has at most ${BODY_BYTES_MAX} bytes.`
    : error.message;
  return new Problem(code, { detail });
}
