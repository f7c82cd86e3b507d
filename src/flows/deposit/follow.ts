import { decideRepeat } from "#deposit/decide-outcome.ts";
import { decideDepositStatus } from "#deposit/decide-status.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { sendDeposit } from "#flows/deposit/send.ts";
import { merchantOf } from "#flows/payout/lane/lane-merchant.ts";
import { stampOf } from "#flows/payout/send.ts";
import { withSlot } from "#flows/request-slots.ts";
import { depositJob } from "#jobs/deposit.ts";
import { roundAt } from "#jobs/submit.ts";
import { done, type Verdict } from "#jobs/verdict.ts";
import { claimDeposit } from "#ledger/deposit/attempts.ts";
import {
  askDepositNow,
  depositQuestion,
  type DepositQuestion,
  dueDeposits,
  moveDeposit,
  takeDeposit,
} from "#ledger/deposit/transitions.ts";

/** The number of deposits that the sweep puts on the queue at a time. */
const WINDOW = 500;

/** Puts every deposit that has work due on the queue. */
export async function dispatchDeposits({ database, hints, clock }: DepositDeps): Promise<void> {
  const codes = await dueDeposits(database, WINDOW);
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
): Promise<Verdict> {
  await withSlot(deps, async () => {
    const question = await takeDeposit(deps.database, transactionCode, deps.leaseMs);
    if (!question) return;
    if (question.state === "requested") await repeat(question, deps);
    else await ask(question, deps);
  });
  return done;
}

/**
 * Queries the status of one deposit now, regardless of when a query is due. If its request is in
 * flight, the answer to that request comes first.
 */
export async function askDepositByHand(code: string, deps: DepositDeps): Promise<void> {
  const question = await depositQuestion(deps.database, code);
  if (!question || question.state === "requested") return;
  await withSlot(deps, () => ask(question, deps));
}

/**
 * Queries the status of a deposit and acts on the answer. Safe to call at any time and any number
 * of times.
 */
async function ask(question: DepositQuestion, deps: DepositDeps): Promise<void> {
  const { database, sealer, gateway, log, pace, worker } = deps;
  const { code, seq, state, money } = question;
  if (!merchantOf(question.lane, deps)) {
    log.error({ transaction_code: code, lane: question.lane }, "no merchant for a deposit");
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
  const decision = decideDepositStatus(question, answer, pace);
  if (decision.kind === "move") {
    await moveDeposit(database, sealer, { ...record, ...decision });
    return;
  }
  const { heard, dueInMs } = decision;
  const kept = await moveDeposit(database, sealer, {
    ...record,
    event: null,
    reason: null,
    heard,
    asks: question.asks,
    dueInMs,
  });
  if (kept && decision.kind === "resend") await sendAgain("resend", question, deps);
}

async function repeat(question: DepositQuestion, deps: DepositDeps): Promise<void> {
  const { code, seq } = question;
  const ended = decideRepeat(question, deps.pace);
  if (!ended) return sendAgain("repeat", question, deps);
  const record = { code, seq, from: "requested", actor: deps.worker, evidence: null } as const;
  await moveDeposit(deps.database, deps.sealer, { ...record, ...ended });
}

/** Sends the same code again, after it was proven not taken, or queried and not found. */
async function sendAgain(
  event: "repeat" | "resend",
  { code, seq, lane }: DepositQuestion,
  deps: DepositDeps,
): Promise<void> {
  const merchant = merchantOf(lane, deps);
  if (!merchant || deps.stopping.aborted) return;
  // A restored ledger may have forgotten the result of this deposit.
  if (await deps.ledger.integrity.verify()) return;
  const claimed = stampOf(deps);
  const { worker, leaseMs } = deps;
  const claim = { code, seq, actor: worker, worker, keyId: merchant.keyId, leaseMs };
  const attempt = await claimDeposit(deps.database, deps.sealer, event, claim);
  if (attempt) await sendDeposit(attempt, claimed, deps);
}

/** Schedules an early status query for a deposit of which news has arrived. */
export async function hurryDeposit(
  code: string,
  { database, hints, clock, log }: DepositDeps,
): Promise<void> {
  await askDepositNow(database, code);
  const round = roundAt(clock.nowMs());
  await hints
    .add(depositJob, [{ v: 1 as const, transactionCode: code, round }])
    // The query is due in the ledger, so the sweep finds it.
    .catch(() => log.debug({ transaction_code: code }, "deposit could not be queued"));
}
