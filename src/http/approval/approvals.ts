import type { FastifyInstance } from "fastify";
import { unitsOf } from "#intake/amount-limits.ts";
import { whyNeeded } from "#approval/approval-policy.ts";
import { paidHere } from "#approval/limit-units.ts";
import { sayRepeat } from "#intake/batch/exact-duplicates.ts";
import { sayPastLimits } from "#flows/approval/approve.ts";
import { askWhereItCounts } from "#flows/approval/query-balance.ts";
import { doAtOnce } from "#flows/people/second-admin.ts";
import { approveAs, type DeskRefusal } from "#flows/approval/record-approval.ts";
import { sheetOf } from "#http/approval/approval-sheet.ts";
import { askingOf } from "#http/approval/payout-limits.ts";
import { missingOf, STILL_LOOKING, totalsOf } from "#views/approval/approval-state.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import { orRefuse } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { forgetRepeats } from "#http/approval/exact-duplicates.ts";
import { route } from "#http/server/routes.ts";
import { sendGiven } from "#http/schedule/send-times.ts";
import { isLookedThrough } from "#http/approval/anomalies.ts";
import {
  type Approvals,
  readApprovals,
  tryRules,
} from "#ledger/approval/policy/approval-policy.ts";
import {
  askQuestion,
  giveBack,
  waitingFor,
  whyNobody,
  withdrawApproval,
} from "#ledger/approval/approvals.ts";
import { type Batch, batchesOf } from "#ledger/payout/batches.ts";
import { namesOf } from "#ledger/people/names.ts";
import { allowRepeats } from "#ledger/intake/exact-duplicates.ts";
import { type Money, readDecimal } from "#money/money.ts";

/** Adds the API routes for approvals. */
export function approvalRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database, clock, ledger } = desk;
  const now = () => new Date(clock.nowMs());

  route(app, desk, "GET /api/approvals", async ({ person }) => {
    const waiting = await waitingFor(database, person.kind === "user" ? person.id : null);
    const batches = await batchesOf(
      database,
      waiting.map(({ batchId }) => batchId),
    );
    const nameOf = await namesOf(
      database,
      batches.map(({ maker }) => maker),
    );
    const byId = new Map(batches.map((batch) => [batch.id, batch]));
    const items = waiting.flatMap((each) => {
      const batch = byId.get(each.batchId);
      if (!batch) return [];
      const { fileName, name, createdAt, maker } = batch;
      return {
        batch_id: each.batchId,
        file: fileName,
        name,
        created_at: createdAt.toISOString(),
        maker: { actor: maker, name: nameOf(maker) },
        totals: totalsOf(batch.lanes),
        people: each.peopleNeeded,
        why: each.peopleWhy,
        given: each.given,
        missing: missingOf(each),
        blocked: whyNobody(each),
        mine: each.mine,
        own: each.own,
        approved: each.approved,
      };
    });
    return { items, mine: items.filter(({ mine }) => mine).length };
  });

  route(app, desk, "GET /api/batches/:id/approval", ({ params, person }) =>
    sheetOf(params.id, person, desk),
  );

  route(app, desk, "POST /api/batches/:id/approve", async ({ params, body, person }) => {
    const batch = await ledger.findBatch({ id: params.id });
    if (!batch) throw new Problem("not_found");
    // A batch cannot be approved before its anomalies could be shown.
    if (batch.state === "awaiting_approval" && !(await isLookedThrough(batch, desk))) {
      throw new Problem("anomalies_pending", { detail: STILL_LOOKING });
    }
    await askWhereItCounts(params.id, askingOf(desk));
    const approved = await approveAs(
      {
        batchId: params.id,
        userId: person.id,
        sessionId: person.session?.id,
        contentDigest: body.content_digest,
        totals: readTotals(batch, body.totals),
        send: await sendGiven(body.send, params.id, desk),
      },
      { ledger, database, clock },
    );
    if (!approved.ok) {
      // The step-up was too long ago, or not by the second factor. A user who has one must give a
      // code.
      const isToBeProven =
        approved.error.kind === "second_factor_required" && person.session?.user.hasTotp;
      throw isToBeProven ? new Problem("step_up_required") : problemOf(approved.error);
    }
    live.forget(`batch:${params.id}`);
    const { missing } = approved.value;
    return { state: missing === 0 ? "approved" : "awaiting_approval", missing };
  });

  route(app, desk, "POST /api/batches/:id/allow-duplicates", async ({ params, body, person }) => {
    const { content_digest: contentDigest, reason } = body;
    const order = { batchId: params.id, contentDigest, reason, actor: person.actor, at: now() };
    const done = await database
      .transaction()
      .execute((transaction) => allowRepeats(transaction, order));
    if (done !== "allowed") throw new Problem(done);
    forgetRepeats(params.id);
  });

  route(app, desk, "POST /api/batches/:id/withdraw-approval", async ({ params, person }) => {
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

  route(app, desk, "POST /api/batches/:id/reject", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason, at: now() };
    const given = await database
      .transaction()
      .execute((transaction) => giveBack(transaction, order));
    if (!given) throw await notWaiting(params.id);
    live.forget(`batch:${params.id}`);
  });

  route(app, desk, "POST /api/batches/:id/question", async ({ params, body, person }) => {
    const batch = await ledger.findBatch({ id: params.id });
    if (batch?.state !== "awaiting_approval") throw await notWaiting(params.id);
    const order = { batchId: params.id, actor: person.actor, question: body.question, at: now() };
    await database.transaction().execute((transaction) => askQuestion(transaction, order));
  });

  const notWaiting = async (id: string) =>
    (await ledger.findBatch({ id }))
      ? new Problem("wrong_state", { detail: "The batch is not awaiting approval." })
      : new Problem("not_found");

  route(app, desk, "GET /api/approval-rules", async () => shown(await readApprovals(database)));

  route(app, desk, "PUT /api/approval-rules", async ({ body, person }) => {
    await refuseIdleRules(body.rules, desk);
    orRefuse(await doAtOnce({ kind: "approval_rules", ...body }, person, desk));
    return shown(await readApprovals(database));
  });

  route(app, desk, "POST /api/approval-rules/preview", async ({ body }) => {
    const tried = await tryRules(database, body);
    return {
      items: tried.map(({ id, fileName, now: people, by }) => ({
        batch_id: id,
        file: fileName,
        now: people,
        by_rules: by.people,
        why: whyNeeded(by),
      })),
    };
  });
}

/**
 * @throws Problem with the location of each rule for a currency that this installation does not
 * pay: the rule would never apply.
 */
export async function refuseIdleRules(
  rules: Approvals["rules"],
  { database, config }: Pick<Desk, "database" | "config">,
): Promise<void> {
  const units = unitsOf(config.CRYPTO_CURRENCIES);
  const before = (await readApprovals(database)).rules.map(({ currency }) => currency);
  const known = new Set([null, ...units.keys(), ...before]);
  const message = paidHere(units);
  const places = rules.flatMap(({ currency }, at) =>
    known.has(currency) ? [] : [{ place: `body.rules.${at}.currency`, message }],
  );
  if (places.length > 0) throw new Problem("invalid_request", { places });
}

const shown = ({ base, rules, hours, baseIsDefault }: Approvals) => ({
  base,
  rules: rules.map((rule) => ({ ...rule })),
  hours,
  base_is_default: baseIsDefault,
});

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
    const read = readDecimal(amount, digits.get(currency) ?? 0);
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

function problemOf(refusal: DeskRefusal): Problem {
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
    case "limit_reached":
      return new Problem("limit_reached", { detail: sayPastLimits(refusal).join(" ") });
    case "exact_duplicates":
      return new Problem(refusal.kind, { detail: refusal.repeats.map(sayRepeat).join(" ") });
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
