import { decideRepeat } from "#deposit/decide-outcome.ts";
import { decideDepositStatus } from "#deposit/decide-status.ts";
import type { DepositDeps } from "#flows/deposits/deps.ts";
import { sendDeposit } from "#flows/deposits/send.ts";
import { merchantOf } from "#flows/lane.ts";
import { stampOf } from "#flows/send.ts";
import { withSlot } from "#flows/slots.ts";
import { depositJob } from "#jobs/deposit.ts";
import { roundAt } from "#jobs/submit.ts";
import { done, type Verdict } from "#jobs/verdict.ts";
import { claimDeposit } from "#ledger/deposit-attempts.ts";
import {
  askDepositNow,
  depositQuestion,
  type DepositQuestion,
  dueDeposits,
  moveDeposit,
  takeDeposit,
} from "#ledger/deposit-moves.ts";

/** As many as the sweep puts on the queue at once. */
const WINDOW = 500;

/** Puts every deposit that something is due about on the queue. */
export async function dispatchDeposits({ database, hints, clock }: DepositDeps): Promise<void> {
  const codes = await dueDeposits(database, WINDOW);
  const round = roundAt(clock.nowMs());
  if (codes.length === 0) return;
  await hints.add(
    depositJob,
    codes.map((transactionCode) => ({ v: 1 as const, transactionCode, round })),
  );
}

/** Does what is due about one deposit. Safe to run twice at once: what is due is taken, what is sent is claimed. */
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

/** Asks the gateway about one deposit now, whatever is due when; one whose request is on the wire gets its answer first. */
export async function askDepositByHand(code: string, deps: DepositDeps): Promise<void> {
  const question = await depositQuestion(deps.database, code);
  if (!question || question.state === "requested") return;
  await withSlot(deps, () => ask(question, deps));
}

/** Asks, and does what the answer calls for. Always safe, at any time and any number of times. */
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

/** The same code again: it was proven not taken, or looked up and not there. */
async function sendAgain(
  event: "repeat" | "resend",
  { code, seq, lane }: DepositQuestion,
  deps: DepositDeps,
): Promise<void> {
  const merchant = merchantOf(lane, deps);
  if (!merchant || deps.stopping.aborted) return;
  // A ledger that was put back may have forgotten what became of it.
  if (await deps.ledger.verify()) return;
  const claimed = stampOf(deps);
  const { worker, leaseMs } = deps;
  const claim = { code, seq, actor: worker, worker, keyId: merchant.keyId, leaseMs };
  const attempt = await claimDeposit(deps.database, deps.sealer, event, claim);
  if (attempt) await sendDeposit(attempt, claimed, deps);
}

/** Asks soon for a deposit that something was heard of. */
export async function hurryDeposit(
  code: string,
  { database, hints, clock, log }: DepositDeps,
): Promise<void> {
  await askDepositNow(database, code);
  const round = roundAt(clock.nowMs());
  await hints
    .add(depositJob, [{ v: 1 as const, transactionCode: code, round }])
    // It is due in the ledger: the sweep finds it.
    .catch(() => log.debug({ transaction_code: code }, "no hint for a deposit"));
}
