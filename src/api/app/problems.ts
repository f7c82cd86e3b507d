import type { ProblemDocument } from "#api/app/shapes.ts";

/** Every error of the API. Codes never change: programs depend on them. */
// biome-ignore format: the columns are the point
export const PROBLEMS = {
  invalid_request:           { status: 400, title: "The request does not match the API description" },
  not_signed_in:             { status: 401, title: "You are not signed in" },
  session_expired:           { status: 401, title: "Your session has expired" },
  key_invalid:               { status: 401, title: "This API key is unknown, revoked or expired" },
  key_unconfirmed:           { status: 403, title: "This API key is not confirmed: an admin other than its creator must confirm it under Settings" },
  scopes_exceed_creator:     { status: 403, title: "An API key cannot have more permissions than its creator" },
  wrong_credentials:         { status: 401, title: "The e-mail address, password or code is wrong" },
  code_required:             { status: 401, title: "A code from your authenticator app is required" },
  forbidden:                 { status: 403, title: "You do not have permission" },
  people_only:               { status: 403, title: "Only a signed-in user can do this, not an API key" },
  step_up_required:          { status: 403, title: "Enter your password or code again" },
  second_factor_required:    { status: 403, title: "Your role requires a second factor" },
  second_factor_not_removable: { status: 409, title: "Your role requires a second factor: instead of removing it, change the device" },
  sign_in_again:             { status: 403, title: "Sign in again and set up the second factor within 15 minutes" },
  wrong_password_or_code:    { status: 403, title: "The password or code is wrong or was already used" },
  own_roles:                 { status: 403, title: "You cannot change your own roles: ask another admin" },
  own_change:                { status: 403, title: "You proposed this change: another admin must confirm it" },
  cross_site_request:        { status: 403, title: "The request did not come from payrun's own pages" },
  own_resolution:            { status: 403, title: "You recorded this result: another approver must confirm it" },
  own_batch:                 { status: 403, title: "You uploaded or edited this batch: another person must approve it" },
  not_own_preview:           { status: 403, title: "Another user made this preview: make your own" },
  preview_expired:           { status: 410, title: "The preview has expired: make a new one" },
  too_many_breaks:           { status: 422, title: "The selection contains more than 100,000 breaks: add a filter" },
  too_many_payouts:          { status: 422, title: "The selection contains more than 100,000 payouts: add a filter" },
  not_an_approver:           { status: 403, title: "You are not an approver" },
  not_found:                 { status: 404, title: "Not found" },
  wrong_state:               { status: 409, title: "Not possible in the current state" },
  already_approved:          { status: 409, title: "You have already approved this batch" },
  limit_reached:             { status: 409, title: "The batch exceeds a payout limit or the available balance" },
  exact_duplicates:          { status: 409, title: "The batch contains exact duplicates: one person must give a reason and another must approve the batch" },
  quarantined:               { status: 409, title: "The batch is in quarantine: it may have been paid before the ledger was restored" },
  not_quarantined:           { status: 409, title: "The batch is not in quarantine" },
  decisions_missing:         { status: 409, title: "First decide on every quarantined batch and acknowledge every lost batch" },
  no_exact_duplicates:       { status: 409, title: "The batch contains no exact duplicates of recently approved payouts" },
  anomalies_pending:         { status: 409, title: "The anomaly search for this batch is still in progress" },
  findings_not_acknowledged: { status: 422, title: "First check and acknowledge each finding that needs your attention" },
  content_changed:           { status: 409, title: "The data has changed since you loaded it" },
  ledger_frozen:             { status: 409, title: "The ledger is frozen: it may have lost records of sent payouts" },
  no_canary:                 { status: 409, title: "No payouts in this batch are waiting for a canary" },
  canary_failed:             { status: 409, title: "The canary did not settle: release or cancel the other payouts" },
  method_not_allowed:        { status: 405, title: "Method not allowed" },
  queue_board_read_only:     { status: 405, title: "The queue board is read-only" },
  lane_not_paused:           { status: 409, title: "This lane is not paused" },
  lane_not_stopped:          { status: 409, title: "This lane is not stopped" },
  ledger_not_frozen:         { status: 409, title: "The ledger is not frozen" },
  ledger_still_frozen:       { status: 409, title: "The ledger is still frozen: its state has changed since you last checked, or some payouts in progress have not been queried yet" },
  view_name_taken:           { status: 409, title: "You already have a view with this name on this page" },
  too_many_views:            { status: 409, title: "You have reached the maximum number of saved views" },
  name_too_similar:          { status: 409, title: "This name is too similar to another user's name" },
  email_too_similar:         { status: 409, title: "This e-mail address is too similar to another user's" },
  email_taken:               { status: 409, title: "A user with this e-mail address already exists" },
  user_disabled:             { status: 409, title: "This user is disabled" },
  second_admin_needed:       { status: 409, title: "This change needs a second admin: propose it and have another admin confirm it" },
  sole_admin_must_propose:   { status: 409, title: "You are the only admin: propose this change and it will take effect after 24 hours" },
  change_not_due:            { status: 409, title: "This change cannot take effect until 24 hours after it was proposed" },
  second_admin_not_needed:   { status: 409, title: "This change does not need a second admin: make it directly" },
  change_expired:            { status: 410, title: "The proposed change has expired: propose it again" },
  last_admin:                { status: 409, title: "This is the last admin who can sign in" },
  event_unknown:             { status: 410, title: "The ledger does not contain this event: after a restore, read the events again from the beginning" },
  link_invalid:              { status: 410, title: "This link has already been used, has expired or has been replaced by a newer one" },
  unknown_host:              { status: 421, title: "This server is not configured for this host name" },
  too_large:                 { status: 413, title: "The request is too large" },
  unsupported_type:          { status: 415, title: "Unsupported content type" },
  totals_differ:             { status: 422, title: "The totals you entered do not match the batch" },
  weak_password:             { status: 422, title: "This password is too easy to guess" },
  invalid_expiry:            { status: 422, title: "An API key must expire within one year" },
  snooze_too_long:           { status: 422, title: "A snooze can last at most 90 days" },
  time_passed:               { status: 422, title: "This time has already passed" },
  not_later:                 { status: 422, title: "The new time must be later than the scheduled time" },
  send_time_differs:         { status: 409, title: "Other approvers chose a different send time or expiry" },
  too_many_attempts:         { status: 429, title: "Too many failed attempts: try again later" },
  too_many_requests:         { status: 429, title: "Too many requests: try again in a few seconds" },
  too_many_searches:         { status: 429, title: "Too many searches by account number: try again later" },
  too_many_streams:          { status: 429, title: "Too many pages with live updates are open in this session" },
  too_many_uploads:          { status: 429, title: "Too many of your uploads are in progress: try again in a few seconds" },
  request_in_progress:       { status: 409, title: "The same request is still in progress" },
  approval_already_requested: { status: 409, title: "The batch has already been sent for approval" },
  nothing_declined:          { status: 409, title: "The batch has no declined payouts that can be retried" },
  already_in_retry_batch:    { status: 409, title: "These payouts are already in other retry batches" },
  needs_new_details:         { status: 409, title: "The gateway refused the details of these payouts: edit the details before you retry" },
  retry_reason_required:     { status: 409, title: "Give a reason for retrying these payouts unchanged" },
  invalid_edits:             { status: 422, title: "The edited details are invalid" },
  no_valid_rows:             { status: 422, title: "None of the declined rows pass the current validation rules" },
  other_batch:               { status: 409, title: "This file belongs to another batch" },
  idempotency_key_reused:    { status: 422, title: "This Idempotency-Key has already been used for a different request" },
  rows_invalid:              { status: 422, title: "Some rows are invalid" },
  file_unreadable:           { status: 422, title: "The file cannot be read" },
  reading_unconfirmed:       { status: 422, title: "Confirm how the file is to be read" },
  not_ready:                 { status: 422, title: "The batch cannot be sent for approval yet" },
  schedule_exists:           { status: 409, title: "An identical schedule already exists" },
  list_already_scheduled:    { status: 409, title: "Another schedule already pays the same list" },
  period_repeated:           { status: 409, title: "The edited schedule may pay for a period twice" },
  occurrence_skipped:        { status: 409, title: "The edit skips a planned occurrence" },
  occurrence_undecided:      { status: 409, title: "An occurrence of the schedule has no batch yet" },
  folder_unusable:           { status: 422, title: "The schedule cannot use this folder" },
  workbook_only:             { status: 422, title: "This file is only available as a workbook" },
  deposit_refused:           { status: 422, title: "This deposit cannot be requested" },
  numbers_not_compared:      { status: 422, title: "First compare the numbers in the workbook with their original source" },
  address_not_allowed:       { status: 422, title: "Messages cannot be sent to this address" },
  gateway_did_not_accept:    { status: 503, title: "The gateway did not accept the request" },
  database_unavailable:      { status: 503, title: "The database is not available" },
  disk_full:                 { status: 507, title: "The server does not have enough disk space for the file" },
  unexpected:                { status: 500, title: "An unexpected error occurred" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** An API error. The response is application/problem+json (RFC 9457). */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly more: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  /** @param more `detail` for people, and members for programs. */
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
