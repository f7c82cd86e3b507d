/**
 * Permissions, written by hand from docs/use/people.md and not from the code: the test of all
 * operations compares the server's answers with them. A new operation needs a line here, and a
 * changed line needs a reason.
 *
 *     y  is allowed
 *     s  is allowed with a step-up at most five minutes old; refused with that reason otherwise
 *     p  is refused: it needs a person
 *     .  is refused: not allowed
 *     -  is refused: not signed in
 *
 * Columns: no user | viewer, uploader, approver, operator, auditor, admin | keys with one right:
 * read, upload, collect, operate, reveal, audit
 */
const LINES = `
  POST /api/account-filters                        - | . . y y y . | . . . . y .
  GET /api/approval-export                         - | y y y y y y | y . . . . .
  GET /api/approval-rules                          - | y y y y y y | y . . . . .
  PUT /api/approval-rules                          - | . . . . . s | . . . . . .
  POST /api/approval-rules/preview                 - | . . . . . y | . . . . . .
  GET /api/approvals                               - | y y y y y y | y . . . . .
  GET /api/audit                                   - | . . . . y y | . . . . . y
  GET /api/audit-export                            - | . . . . y y | . . . . . y
  GET /api/audit/actions                           - | . . . . y y | . . . . . y
  GET /api/audit/verify                            - | . . . . y y | . . . . . y
  GET /api/batch-export                            - | y y y y y y | y . . . . .
  GET /api/batch-summary                           - | y y y y y y | y . . . . .
  GET /api/batches                                 - | y y y y y y | y . . . . .
  POST /api/batches                                - | . y . . . . | . y . . . .
  GET /api/batches/:id                             - | y y y y y y | y . . . . .
  GET /api/batches/:id/evidence-pack               - | y y y y y y | y . . . . .
  POST /api/batches/:id/allow-duplicates           - | . y . . . . | . p . . . .
  GET /api/batches/:id/approval                    - | y y y y y y | y . . . . .
  GET /api/batches/:id/approval/rows               - | y y y y y y | y . . . . .
  POST /api/batches/:id/approve                    - | . . s . . . | . . . . . .
  POST /api/batches/:id/canary                     - | . . y . . . | . . . . . .
  POST /api/batches/:id/cancel                     - | . . . y . . | . . . y . .
  GET /api/batches/:id/copy                        - | . y . . . . | . y . . . .
  POST /api/batches/:id/corrections                - | . y . . . . | . y . . . .
  GET /api/batches/:id/comparison                  - | y y y y y y | y . . . . .
  GET /api/batches/:id/declined-rows               - | . y . . . . | . y . . . .
  GET /api/batches/:id/findings                    - | y y y y y y | y . . . . .
  GET /api/batches/:id/last-working-day            - | y y y y y y | y . . . . .
  GET /api/batches/:id/left-out-rows               - | y y y y y y | y . . . . .
  GET /api/batches/:id/limits                      - | y y y y y y | y . . . . .
  POST /api/batches/:id/pause                      - | . . . y . . | . . . y . .
  POST /api/batches/:id/priority                   - | y y y y y y | y . . . . .
  GET /api/batches/:id/progress                    - | y y y y y y | y . . . . .
  POST /api/batches/:id/reschedule                 - | . . . y . . | . . . y . .
  POST /api/batches/:id/question                   - | . . y . . . | . . . . . .
  POST /api/batches/:id/reject                     - | . . y . . . | . . . . . .
  GET /api/batches/:id/rejects                     - | . y . . . . | . y . . . .
  POST /api/batches/:id/release                    - | . . . y . . | . . . y . .
  POST /api/batches/:id/release-quarantine         - | . . . s . . | . . . p . .
  GET /api/batches/:id/retry-batch                 - | y y y y y y | y . . . . .
  POST /api/batches/:id/retry-batch                - | . y . . . . | . y . . . .
  POST /api/batches/:id/retry-batch/check          - | . y . . . . | . y . . . .
  GET /api/batches/:id/retry-changes               - | y y y y y y | y . . . . .
  GET /api/batches/:id/report                      - | y y y y y y | y . . . . .
  POST /api/batches/:id/resume                     - | . . . y . . | . . . y . .
  GET /api/batches/:id/row-fixes                   - | . y . . . . | . y . . . .
  POST /api/batches/:id/row-fixes                  - | . y . . . . | . y . . . .
  GET /api/batches/:id/rows                        - | y y y y y y | y . . . . .
  POST /api/batches/:id/rows/check                 - | . y . . . . | . y . . . .
  POST /api/batches/:id/rows/correct               - | . y . . . . | . y . . . .
  POST /api/batches/:id/rows/leave-out             - | . y . . . . | . y . . . .
  POST /api/batches/:id/rows/put-back              - | . y . . . . | . y . . . .
  POST /api/batches/:id/send-now                   - | . . s . . . | . . . . . .
  GET /api/batches/:id/send-time                   - | y y y y y y | y . . . . .
  GET /api/batches/:id/sent                        - | y y y y y y | y . . . . .
  POST /api/batches/:id/request-approval           - | . y . . . . | . y . . . .
  GET /api/batches/:id/timeline                    - | y y y y y y | y . . . . .
  GET /api/batches/:id/unsent                      - | y y y y y y | y . . . . .
  POST /api/batches/:id/withdraw                   - | . y . . . . | . y . . . .
  POST /api/batches/:id/withdraw-approval          - | . . y . . . | . . . . . .
  GET /api/channels                                - | . . . . . y | . . . . . .
  POST /api/channels                               - | . . . . . s | . . . . . .
  POST /api/channels/check                         - | . . . . . y | . . . . . .
  PUT /api/channels/:id                            - | . . . . . s | . . . . . .
  DELETE /api/channels/:id                         - | . . . . . s | . . . . . .
  POST /api/channels/:id/test                      - | . . . . . y | . . . . . .
  GET /api/breaks                                  - | y y y y y y | y . . . . .
  GET /api/breaks/:id                              - | y y y y y y | y . . . . .
  GET /api/break-actions                           - | y y y y y y | y . . . . .
  GET /api/break-actions/:id                       - | y y y y y y | y . . . . .
  GET /api/break-actions/:id/breaks                - | y y y y y y | y . . . . .
  POST /api/break-actions                          - | . . . y . . | . . . y . .
  POST /api/break-actions/:id/assign               - | . . . y . . | . . . y . .
  POST /api/break-actions/:id/propose              - | . . . y . . | . . . y . .
  POST /api/break-decisions                        - | . . y . . . | . . . . . .
  POST /api/break-decisions/:id/apply              - | . . y . . . | . . . . . .
  PUT /api/breaks/:id/assignment                   - | . . . y . . | . . . y . .
  POST /api/breaks/:id/comments                    - | y y y y y y | y . . . . .
  POST /api/breaks/:id/decide                      - | . . y . . . | . . . . . .
  POST /api/breaks/:id/propose                     - | . . . y . . | . . . y . .
  GET /api/comments                                - | y y y y y y | y . . . . .
  POST /api/comments                               - | y y y y y y | y . . . . .
  GET /api/comments/people                         - | y y y y y y | y . . . . .
  POST /api/comments/seen                          - | y y y y y y | p . . . . .
  GET /api/deliveries                              - | . . . . . y | . . . . . .
  GET /api/deliveries/:notice_id/:channel_id       - | . . . . . y | . . . . . .
  POST /api/deliveries/replay                      - | . . . . . y | . . . . . .
  GET /api/deposit-export                          - | y y y y y y | y . . . . .
  GET /api/deposit-summary                         - | y y y y y y | y . . . . .
  GET /api/deposits                                - | y y y y y y | y . . . . .
  POST /api/deposits                               - | . y . . . . | . . y . . .
  GET /api/deposits/:code                          - | y y y y y y | y . . . . .
  POST /api/deposits/:code/query                   - | . . . y . . | . . . y . .
  POST /api/deposits/:code/resolve                 - | . . . y . . | . . . y . .
  POST /api/deposits/:code/resolution              - | . . s . . . | . . . . . .
  POST /api/deposits/:code/krw-account             - | . y . . . . | . . y . . .
  GET /api/deposits/:code/pay-url                  - | . y . . . . | . . y . . .
  POST /api/deposits/:code/reference               - | . y . . . . | . . y . . .
  GET /api/evidence-keys                           - | y y y y y y | y . . . . .
  GET /api/events                                  - | y y y y y y | y . . . . .
  GET /api/failures                                - | y y y y y y | y . . . . .
  PUT /api/failures/assignment                     - | . . . y . . | . . . y . .
  GET /api/failures/file                           - | y y y y y y | y . . . . .
  POST /api/failures/notes                         - | . . . y . . | . . . y . .
  GET /api/failures/people                         - | . . . y . . | . . . y . .
  PUT /api/failures/snooze                         - | . . . y . . | . . . y . .
  GET /api/fees                                    - | y y y y y y | y . . . . .
  GET /api/frame                                   - | y y y y y y | y . . . . .
  GET /api/home                                    - | y y y y y y | y . . . . .
  GET /api/home/figures                            - | y y y y y y | y . . . . .
  GET /api/home/tasks                              - | y y y y y y | y . . . . .
  GET /api/inbox                                   - | y y y y y y | p . . . . .
  POST /api/inbox/read                             - | y y y y y y | p . . . . .
  GET /api/keys                                    - | y y y y y y | p p p p p p
  POST /api/keys                                   - | s s s s s s | p p p p p p
  POST /api/keys/:id/rotate                        - | s s s s s s | p p p p p p
  DELETE /api/keys/:id                             - | y y y y y y | p p p p p p
  POST /api/lanes/open                             - | . . . y . . | . . . y . .
  POST /api/lanes/pause                            - | . . . y . . | . . . y . .
  POST /api/lanes/resume                           - | . . . y . . | . . . y . .
  POST /api/lanes/rate-limits                      - | . . . y . . | . . . y . .
  POST /api/links/inspect                          y | y y y y y y | y y y y y y
  POST /api/links/password-check                   y | y y y y y y | y y y y y y
  POST /api/links/use                              y | y y y y y y | y y y y y y
  GET /api/live                                    - | y y y y y y | p . . . . .
  GET /api/merchant-accounts                       - | y y y y y y | y . . . . .
  PUT /api/merchant-accounts/:code                 - | . . . . . y | . . . . . .
  GET /api/metrics                                 - | y y y y y y | y . . . . .
  GET /api/payout-limits                           - | y y y y y y | y . . . . .
  PUT /api/payout-limits                           - | . . . . . s | . . . . . .
  GET /api/payout-limits/headroom                  - | y y y y y y | y . . . . .
  GET /api/openapi.json                            y | y y y y y y | y y y y y y
  GET /api/operations                              - | y y y y y y | y . . . . .
  GET /api/operations/freeze                       - | . . . y . . | . . . y . .
  GET /api/operations/lane-rates                   - | y y y y y y | y . . . . .
  GET /api/operations/events                       - | y y y y y y | y . . . . .
  GET /api/operations/queue-history                - | y y y y y y | y . . . . .
  GET /api/operations/queues/:name/jobs            - | y y y y y y | y . . . . .
  GET /api/operations/rates                        - | y y y y y y | y . . . . .
  GET /api/operations/runbook/:alarm               - | y y y y y y | y . . . . .
  POST /api/operations/unfreeze                    - | . . . s . . | . . . p . .
  POST /api/payouts                                - | . y . . . . | . y . . . .
  GET /api/payouts                                 - | y y y y y y | y . . . . .
  GET /api/payout-summary                          - | y y y y y y | y . . . . .
  GET /api/payout-actions                          - | y y y y y y | y . . . . .
  POST /api/payout-actions                         - | . . . y . . | . . . y . .
  GET /api/payout-actions/:id                      - | y y y y y y | y . . . . .
  POST /api/payout-actions/:id/apply               - | . . . y . . | . . . y . .
  POST /api/payout-actions/:id/assign              - | . . . y . . | . . . y . .
  POST /api/payout-actions/:id/confirm             - | . . s . . . | . . . . . .
  GET /api/payout-actions/:id/export               - | y y y y y y | y . . . . .
  GET /api/payout-actions/:id/payouts              - | y y y y y y | y . . . . .
  POST /api/payout-actions/:id/reject              - | . . s . . . | . . . . . .
  GET /api/payout-export                           - | y y y y y y | y . . . . .
  GET /api/payouts/:code                           - | y y y y y y | y . . . . .
  GET /api/payouts/:code/evidence                  - | y y y y y y | y . . . . .
  GET /api/payouts/:code/evidence-pack             - | y y y y y y | y . . . . .
  POST /api/payouts/:code/query                    - | . . . y . . | . . . y . .
  PUT /api/payouts/:code/assignment                - | . . . y . . | . . . y . .
  POST /api/payouts/:code/resolve                  - | . . . y . . | . . . y . .
  POST /api/payouts/:code/resolution               - | . . s . . . | . . . . . .
  POST /api/payouts/:code/end-wait                 - | . . . y . . | . . . y . .
  POST /api/payouts/:code/notes                    - | . . . y . . | . . . y . .
  POST /api/payouts/:code/reveal                   - | . . y y y . | . . . . y .
  PUT /api/payouts/:code/snooze                    - | . . . y . . | . . . y . .
  POST /api/payouts/:code/wait-ending              - | . . s . . . | . . . . . .
  GET /api/pending-changes                         - | y y y y y y | p . . . . .
  POST /api/pending-changes                        - | . . . . . s | . . . . . .
  POST /api/pending-changes/:id/confirm            - | . . . . . s | . . . . . .
  POST /api/pending-changes/:id/withdraw           - | y y y y y y | p . . . . .
  POST /api/profile/password-check                 - | y y y y y y | p p p p p p
  POST /api/profile/password                       - | y y y y y y | p p p p p p
  PUT /api/profile/preferences                     - | y y y y y y | p p p p p p
  GET /api/profile/sessions                        - | y y y y y y | p p p p p p
  DELETE /api/profile/sessions/:id                 - | y y y y y y | p p p p p p
  DELETE /api/profile/totp                         - | s s s s s s | p p p p p p
  POST /api/profile/totp                           - | s s s s s s | p p p p p p
  POST /api/profile/totp/confirm                   - | s s s s s s | p p p p p p
  GET /api/roles                                   - | y y y y y y | y . . . . .
  GET /api/schedules                               - | y y y y y y | y . . . . .
  POST /api/schedules                              - | . y . . . . | . y . . . .
  GET /api/schedules/:id                           - | y y y y y y | y . . . . .
  PUT /api/schedules/:id                           - | y y y y y y | y . . . . .
  POST /api/schedules/:id/occurrences/:day/decide  - | . . . y . . | . . . y . .
  POST /api/schedules/:id/pause                    - | . . . y . . | . . . y . .
  POST /api/schedules/:id/remove                   - | . . . y . . | . . . y . .
  POST /api/schedules/:id/resume                   - | . . . y . . | . . . y . .
  GET /api/schedules/month                         - | y y y y y y | y . . . . .
  POST /api/schedules/:id/decide                   - | . . . y . . | . . . y . .
  POST /api/schedules/preview                      - | y y y y y y | y . . . . .
  POST /api/search                                 - | y y y y y y | y . . . . .
  GET /api/second-factor-policy                    - | . . . . . y | . . . . . .
  PUT /api/second-factor-policy                    - | . . . . . s | . . . . . .
  DELETE /api/session                              - | y y y y y y | p p p p p p
  GET /api/session                                 y | y y y y y y | y y y y y y
  POST /api/session                                y | y y y y y y | y y y y y y
  POST /api/session/step-up                        - | y y y y y y | p p p p p p
  GET /api/days                                    - | y y y y y y | y . . . . .
  GET /api/reconciliation-lanes                    - | y y y y y y | y . . . . .
  GET /api/days/:day                               - | y y y y y y | y . . . . .
  GET /api/days/:day/document                      - | y y y y y y | y . . . . .
  GET /api/days/:day/report                        - | y y y y y y | y . . . . .
  POST /api/days/:day/adjust                       - | . . . y . . | . . . y . .
  POST /api/days/:day/close                        - | . . . y . . | . . . y . .
  POST /api/days/:day/decide                       - | . . y . . . | . . . . . .
  POST /api/days/:day/open                         - | . . . y . . | . . . y . .
  POST /api/days/:day/reopen                       - | . . . y . . | . . . y . .
  GET /api/statements                              - | y y y y y y | y . . . . .
  POST /api/statements                             - | . . . y . . | . . . y . .
  POST /api/statements/:id/decide                  - | . . y . . . | . . . . . .
  GET /api/reports/:report/file                    - | y y y y y y | y . . . . .
  GET /api/reports/breaks                          - | y y y y y y | y . . . . .
  GET /api/reports/fees                            - | y y y y y y | y . . . . .
  GET /api/reports/results                         - | y y y y y y | y . . . . .
  GET /api/reports/times                           - | y y y y y y | y . . . . .
  GET /api/archives                                - | y y y y y y | y . . . . .
  GET /api/retention                               - | y y y y y y | y . . . . .
  PUT /api/retention                               - | . . . . . s | . . . . . .
  GET /api/retention/expired                       - | . . . . . y | . . . . . .
  GET /api/erasures                                - | y y y y y y | y . . . . .
  POST /api/erasures                               - | . . . y . . | . . . y . .
  POST /api/erasures/:id/decide                    - | . . s . . . | . . . . . .
  GET /api/templates                               - | y y y y y y | y . . . . .
  GET /api/templates/:currency                     - | y y y y y y | y . . . . .
  GET /api/templates/:currency/guide               - | y y y y y y | y . . . . .
  GET /api/users                                   - | . . . . . y | . . . . . .
  POST /api/users                                  - | . . . . . s | . . . . . .
  POST /api/users/:id/disable                      - | . . . . . y | . . . . . .
  POST /api/users/:id/enable                       - | . . . . . s | . . . . . .
  POST /api/users/:id/link                         - | . . . . . s | . . . . . .
  PUT /api/users/:id/roles                         - | . . . . . s | . . . . . .
  GET /api/views                                   - | y y y y y y | p p p p p p
  POST /api/views                                  - | y y y y y y | p p p p p p
  DELETE /api/views/:id                            - | y y y y y y | p p p p p p
  PUT /api/views/:id                               - | y y y y y y | p p p p p p
`;

type Cell = "y" | "s" | "p" | "." | "-";

const PEOPLE = ["viewer", "uploader", "approver", "operator", "auditor", "admin"] as const;
const KEYS = ["read", "upload", "collect", "operate", "reveal", "audit"] as const;
const COLUMNS = ["nobody", ...PEOPLE, ...KEYS.map((right) => `key ${right}` as const)] as const;
export type Principal = (typeof COLUMNS)[number];

/** The cells of each operation, by caller. */
export const ACCESS: ReadonlyMap<string, Readonly<Record<Principal, Cell>>> = new Map(
  LINES.trim()
    .split("\n")
    .map((line) => {
      const [method, path, ...cells] = line.replaceAll("|", "").trim().split(/\s+/);
      if (cells.length !== COLUMNS.length) throw new Error(`not a line of the matrix: ${line}`);
      const byPrincipal = Object.fromEntries(COLUMNS.map((name, at) => [name, cells[at]]));
      return [`${method} ${path}`, byPrincipal as Record<Principal, Cell>];
    }),
);

/** The server's answer to an unauthorised request. */
export const ANSWERS: Readonly<Record<Cell, string>> = {
  y: "let in",
  s: "step_up_required",
  p: "people_only",
  ".": "forbidden",
  "-": "not_signed_in",
};
