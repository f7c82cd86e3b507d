import { decideRetry } from "#deposit/decide-outcome.ts";
import { decideDepositStatus } from "#deposit/decide-status.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { sendDeposit } from "#flows/deposit/send.ts";
import { merchantOf } from "#flows/payout/lane/lane-merchant.ts";
import { claimTimeNow } from "#flows/payout/send.ts";
import { withSlot } from "#flows/request-slots.ts";
import { depositJob } from "#jobs/deposit.ts";
import { roundAt } from "#jobs/submit.ts";
import { done, type JobResult } from "#jobs/verdict.ts";
import type { DueDeposit } from "#ledger/deposit/transitions.ts";

/** The number of deposits that the sweep puts on the queue at a time. */
const WINDOW = 500;

/** Puts every deposit that has work due on the queue. */
export async function dispatchDeposits({ ledger, hints, clock }: DepositDeps): Promise<void> {
  const codes = await ledger.deposit.findDueDeposits(WINDOW);
  const round = roundAt(clock.nowMs());
  if (codes.length === 0) return;
  await hints.add(
    depositJob,
    codes.map((transactionCode) => ({ v: 1 as const, transactionCode, round })),
  );
}

/**
 * Does the work that is due for one deposit. Safe to run concurrently: due work is taken, and each
 * request is claimed before it is sent.
 */
export async function followDeposit(
  { transactionCode }: { readonly transactionCode: string },
  deps: DepositDeps,
): Promise<JobResult> {
  await withSlot(deps, async () => {
    const work = await deps.ledger.deposit.claimDueDeposit(transactionCode, deps.leaseMs);
    if (!work) return;
    if (work.state === "requested") await requestAgain(work, deps);
    else await queryStatus(work, deps);
  });
  return done;
}

/**
 * Queries the status of one deposit now, regardless of when a query is due. If its request is in
 * flight, the answer to that request comes first.
 */
export async function queryDepositByHand(code: string, deps: DepositDeps): Promise<void> {
  const work = await deps.ledger.deposit.findDepositWork(code);
  if (!work || work.state === "requested") return;
  await withSlot(deps, () => queryStatus(work, deps));
}

/**
 * Queries the status of a deposit and acts on the answer. Safe to call at any time and any number
 * of times.
 */
async function queryStatus(work: DueDeposit, deps: DepositDeps): Promise<void> {
  const { ledger, gateway, log, timings, worker } = deps;
  const { code, seq, state, money } = work;
  if (!merchantOf(work.lane, deps)) {
    log.error({ transaction_code: code, lane: work.lane }, "no merchant for a deposit");
    return;
  }
  const { answer, evidence } = await gateway.depositStatus(money.currency, code);
  const facts = {
    ...evidence,
    answer: answer.kind,
    ...(answer.kind === "found" ? answer.record : {}),
  };
  const record = {
    code,
    seq,
    from: state,
    actor: worker,
    evidence: { kind: "status" as const, attempt: null, facts },
  };
  const decision = decideDepositStatus(work, answer, timings);
  if (decision.kind === "move") {
    await ledger.deposit.moveDeposit({ ...record, ...decision });
    return;
  }
  const { statusAnswer, dueInMs } = decision;
  const kept = await ledger.deposit.moveDeposit({
    ...record,
    event: null,
    reason: null,
    statusAnswer,
    queryCount: work.queryCount,
    dueInMs,
  });
  if (kept && decision.kind === "resend") await resend("resend", work, deps);
}

async function requestAgain(work: DueDeposit, deps: DepositDeps): Promise<void> {
  const { code, seq } = work;
  const ended = decideRetry(work, deps.timings);
  if (!ended) return resend("repeat", work, deps);
  const record = { code, seq, from: "requested", actor: deps.worker, evidence: null } as const;
  await deps.ledger.deposit.moveDeposit({ ...record, ...ended });
}

/** Sends the same code again, after it was proven not taken, or queried and not found. */
async function resend(
  event: "repeat" | "resend",
  { code, seq, lane }: DueDeposit,
  deps: DepositDeps,
): Promise<void> {
  const merchant = merchantOf(lane, deps);
  if (!merchant || deps.stopping.aborted) return;
  // A restored ledger may have forgotten the result of this deposit.
  if (await deps.ledger.integrity.verify()) return;
  const claimed = claimTimeNow(deps);
  const { worker, leaseMs } = deps;
  const claim = { code, seq, actor: worker, worker, keyId: merchant.keyId, leaseMs };
  const attempt = await deps.ledger.deposit.claimDeposit(event, claim);
  if (attempt) await sendDeposit(attempt, claimed, deps);
}

/** Schedules an early status query for a deposit of which news has arrived. */
export async function queryDepositSoon(
  code: string,
  { ledger, hints, clock, log }: DepositDeps,
): Promise<void> {
  await ledger.deposit.makeDepositQueryDue(code);
  const round = roundAt(clock.nowMs());
  await hints
    .add(depositJob, [{ v: 1 as const, transactionCode: code, round }])
    // The query is due in the ledger, so the sweep finds it.
    .catch(() => log.debug({ transaction_code: code }, "deposit could not be queued"));
}
