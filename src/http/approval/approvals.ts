import type { FastifyInstance } from "fastify";
import type { APPROVAL_API } from "#api/approval/approvals.ts";
import type { BodyOf } from "#api/app/operation.ts";
import { describeExactDuplicates } from "#intake/batch/exact-duplicates.ts";
import { describeLimitsExceeded } from "#flows/approval/approve.ts";
import { queryBalancesThatCount } from "#flows/approval/query-balance.ts";
import { approveAs, type DashboardApprovalRefusal } from "#flows/approval/record-approval.ts";
import { approvalSheet } from "#views/approval/approval-sheet.ts";
import { approvalListRoutes } from "#http/approval/approval-list.ts";
import { withdrawalRoute } from "#http/approval/withdrawal.ts";
import { balanceDeps } from "#http/approval/payout-limits.ts";
import { ANOMALIES_PENDING } from "#views/approval/approval-state.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { readSendTime } from "#http/schedule/send-times.ts";
import { findingsToAcknowledge, isAnalysed } from "#views/approval/anomalies.ts";
import { recordQuestion, sendBack, withdrawApproval } from "#ledger/approval/approvals.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { allowExactDuplicates } from "#ledger/intake/exact-duplicates.ts";
import { type Money, parseDecimal } from "#money/money.ts";

/** Adds the API routes for approvals. */
export function approvalRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { database, clock, ledger } = deps;
  const now = () => new Date(clock.nowMs());

  approvalListRoutes(app, deps);
  withdrawalRoute(app, deps, live, deps.config.SMTP_URL !== undefined);

  route(app, deps, "GET /api/batches/:id/approval", ({ params, person }) =>
    approvalSheet(params.id, person, deps),
  );

  route(app, deps, "POST /api/batches/:id/approve", async ({ params, body, person }) => {
    const missing = await approve(params.id, body, person, deps);
    live.invalidateBatch(params.id);
    return { state: missing === 0 ? "approved" : "awaiting_approval", missing };
  });

  route(app, deps, "POST /api/batches/:id/allow-duplicates", async ({ params, body, person }) => {
    const { content_digest: contentDigest, reason } = body;
    const order = { batchId: params.id, contentDigest, reason, actor: person.actor, at: now() };
    const done = await database
      .transaction()
      .execute((transaction) => allowExactDuplicates(transaction, order));
    if (done !== "allowed") throw new Problem(done);
    live.invalidateBatch(params.id);
  });

  route(app, deps, "POST /api/batches/:id/withdraw-approval", async ({ params, person }) => {
    const order = { batchId: params.id, userId: person.id, at: now() };
    const withdrawn = await database
      .transaction()
      .execute((transaction) => withdrawApproval(transaction, order));
    if (!withdrawn) {
      throw new Problem("wrong_state", {
        detail: "You have no approval to withdraw.",
      });
    }
  });

  route(app, deps, "POST /api/batches/:id/reject", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason, at: now() };
    const given = await database
      .transaction()
      .execute((transaction) => sendBack(transaction, order));
    if (!given) throw await notWaiting(params.id);
    live.invalidateBatch(params.id);
  });

  route(app, deps, "POST /api/batches/:id/question", async ({ params, body, person }) => {
    const batch = await ledger.payout.findBatch({ id: params.id });
    if (batch?.state !== "awaiting_approval") throw await notWaiting(params.id);
    const order = { batchId: params.id, actor: person.actor, question: body.question, at: now() };
    await database.transaction().execute((transaction) => recordQuestion(transaction, order));
  });

  const notWaiting = async (id: string) =>
    (await ledger.payout.findBatch({ id }))
      ? new Problem("wrong_state", { detail: "The batch is not awaiting approval." })
      : new Problem("not_found");
}

/** Approves the batch as this person. Returns the number of approvals still missing. */
async function approve(
  batchId: string,
  body: BodyOf<(typeof APPROVAL_API)["POST /api/batches/:id/approve"]>,
  person: Person,
  deps: ServerDeps,
): Promise<number> {
  const { clock, ledger } = deps;
  const batch = await ledger.payout.findBatch({ id: batchId });
  if (!batch) throw new Problem("not_found");
  // A batch cannot be approved before its anomalies could be shown.
  if (batch.state === "awaiting_approval" && !(await isAnalysed(batch, deps))) {
    throw new Problem("anomalies_pending", { detail: ANOMALIES_PENDING });
  }
  const decisive =
    batch.state === "awaiting_approval" && (await findingsToAcknowledge(batch, deps));
  await queryBalancesThatCount(batchId, balanceDeps(deps));
  const approved = await approveAs(
    {
      batchId,
      userId: person.id,
      sessionId: person.session?.id,
      contentDigest: body.content_digest,
      totals: readTotals(batch, body.totals),
      decisive: decisive || [],
      acknowledged: body.acknowledged,
      send: await readSendTime(body.send, batchId, deps),
    },
    { ledger, clock },
  );
  if (approved.ok) return approved.value.missing;
  if (approved.error.kind === "exact_duplicates") {
    const content = { batchId, contentDigest: body.content_digest };
    const canMail = deps.config.SMTP_URL !== undefined;
    const { duplicates } = approved.error;
    await ledger.notification.createBlockedNotice(content, duplicates, { canMail });
  }
  // The step-up was too long ago, or not by the second factor. A user who has one must give a code.
  const isToBeProven =
    approved.error.kind === "second_factor_required" && person.session?.user.hasTotp;
  throw isToBeProven ? new Problem("step_up_required") : problemOf(approved.error);
}

/**
 * Reads totals typed by people, in the units of the batch. A currency that the batch does not pay
 * keeps the digits that were typed.
 */
function readTotals(
  { lanes }: Batch,
  typed: readonly { readonly currency: string; readonly amount: string }[],
): Map<string, Money> {
  const digits = new Map(lanes.map(({ total }) => [total.currency, total.minorDigits]));
  const totals = new Map<string, Money>();
  for (const { currency, amount } of typed) {
    const read = parseDecimal(amount, digits.get(currency) ?? 0);
    if (read) totals.set(currency, { currency, ...read });
  }
  return totals;
}

const DIFFERS = {
  content_changed: "The batch has changed since you opened it. Review it again.",
  total_missing: "The total is missing.",
  total_differs: "The total you entered does not match the batch total.",
  total_of_no_row: "The batch has no payouts in this currency.",
} as const;

function problemOf(refusal: DashboardApprovalRefusal): Problem {
  switch (refusal.kind) {
    case "not_found":
      return new Problem("not_found");
    case "differs": {
      const [first] = refusal.problems;
      const code = first?.code === "content_changed" ? "content_changed" : "totals_differ";
      const detail = first && DIFFERS[first.code];
      const places = refusal.problems.flatMap(({ code: why, currency }) =>
        currency === null ? [] : [{ place: currency, message: DIFFERS[why] }],
      );
      return new Problem(code, { ...(detail ? { detail } : {}), places });
    }
    case "content_changed":
      return new Problem("content_changed", { detail: DIFFERS.content_changed });
    case "findings_not_acknowledged":
      return new Problem(refusal.kind, {
        detail: refusal.findings.map(({ rows, says }) => `${rows} × ${says}.`).join(" "),
        places: refusal.findings.map(({ finding, says }) => ({ place: finding, message: says })),
      });
    case "limit_reached":
      return new Problem("limit_reached", { detail: describeLimitsExceeded(refusal).join(" ") });
    case "exact_duplicates":
      return new Problem(refusal.kind, {
        detail: refusal.duplicates.map(describeExactDuplicates).join(" "),
      });
    case "send_time_differs":
      return new Problem(refusal.kind, { detail: refusal.why });
    case "quarantined":
    case "own_batch":
    case "not_an_approver":
    case "already_approved":
    case "wrong_state":
      return new Problem(refusal.kind);
    case "second_factor_required":
      return new Problem(refusal.kind, { detail: "Set up a second factor on your profile page." });
  }
}
