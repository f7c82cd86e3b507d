import { createHash } from "node:crypto";
import { newId } from "#base/ids.ts";
import { err, ok, type Result } from "#base/result.ts";
import { compareLate } from "#flows/reconciliation/compare-again.ts";
import { laneDay, observedOf, openingOf } from "#flows/reconciliation/day-money.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { OpeningBalance } from "#ledger/reconciliation/day-closes.ts";
import type { DayMoney } from "#ledger/reconciliation/day-figures.ts";
import { laneParts } from "#payout/payout.ts";
import { amountText } from "#reconciliation/break-classes.ts";
import { canonicalJson, type JsonValue } from "#reconciliation/canonical-json.ts";
import {
  CLOSE_REFUSALS,
  type CloseDocument,
  type CloseRefusal,
  closeRefusal,
  CLOSING_BALANCE,
} from "#reconciliation/day-close.ts";
import { differenceOf, decimal, figuresOf, scaled } from "#reconciliation/day-figures.ts";
import type { ExactAmount } from "#reconciliation/records.ts";
import { daysAfter } from "#reconciliation/statement-time.ts";

/** A lane and its business day. */
export interface AskedDay {
  readonly lane: string;
  readonly day: string;
}

/** Why a day was not closed. */
export interface RefusedClose {
  readonly code: "wrong_state";
  readonly refusal: CloseRefusal;
  readonly detail: string;
}

/**
 * Closes a business day: computes its figures, compares the closing balance with the observed one,
 * and stores both with the unresolved breaks as a version that never changes, in one commit with
 * one line of the audit log. A difference becomes a break.
 *
 * The comparison of the day is repeated first for what has changed since, so that breaks which
 * later settlements explain are closed. The figures take seconds, so they are computed without the
 * lock of the lane, and again under it only if the day has changed meanwhile.
 */
export async function closeDay(
  asked: AskedDay,
  actor: string,
  { ledger, clock }: StatementDeps,
): Promise<Result<CloseDocument, RefusedClose>> {
  const { lane, day } = asked;
  const start = () => ledger.transaction(({ reconciliation }) => begin(asked, reconciliation));
  const possible = await start();
  if (!possible.ok) return possible;
  await compareLate(asked, actor, { ledger, clock });
  // The comparison may have changed the day, so its figures count from here.
  const begun = await start();
  if (!begun.ok) return begun;
  const { first, id } = begun.value;
  const early = await ledger.transaction(({ reconciliation }) =>
    reconciliation.findMoneyToClose(laneDay(first, day)),
  );
  return ledger.transaction(async (transaction) => {
    const { reconciliation, integrity } = transaction;
    const seen = await lockedFacts(first, day, reconciliation);
    if (!seen.ok) return seen;
    const { previous } = seen.value;
    const isCurrent = await reconciliation.endClosingDay({ lane, id });
    const money = isCurrent ? early : await reconciliation.findMoneyToClose(laneDay(first, day));
    const { document, closing, observed } = await documentOf(
      { first, ...seen.value, money, actor },
      reconciliation,
    );
    const text = canonicalJson(document as unknown as JsonValue);
    const digest = createHash("sha256").update(text).digest("hex");
    await reconciliation.insertDayClose({
      ...laneDay(first, day),
      version: document.version,
      closing,
      observed,
      document: text,
      digest,
      actor,
    });
    if (previous && !isEqual(previous.closing, closing)) {
      await reconciliation.reopenDay({ lane, day: daysAfter(day, 1), actor });
    }
    const at = new Date(clock.nowMs());
    const facts = auditFacts(document, digest);
    const line = { actor, action: "close_day", object: `${lane} ${day}`, facts } as const;
    await integrity.appendAudit(at, line);
    return ok(document);
  });
}

/** Notes that the figures of a day are computed, so that changes from now on are noticed. */
async function begin(
  { lane, day }: AskedDay,
  reconciliation: LedgerSteps["reconciliation"],
): Promise<Result<{ readonly first: OpeningBalance; readonly id: number }, RefusedClose>> {
  const [first] = await reconciliation.findOpeningBalances(lane);
  if (!first) return refused("no_opening_balance");
  const seen = await lockedFacts(first, day, reconciliation);
  if (!seen.ok) return seen;
  return ok({ first, id: await reconciliation.insertClosingDay(laneDay(first, day)) });
}

/** Locks the days of a lane, and returns the facts of a day that can be closed. */
async function lockedFacts(
  first: OpeningBalance,
  day: string,
  reconciliation: LedgerSteps["reconciliation"],
): Promise<Result<Awaited<ReturnType<typeof findFacts>>, RefusedClose>> {
  const now = await reconciliation.lockDays(first.lane);
  if (now === null) return refused("unfinished_statement");
  const seen = await findFacts(first, day, now, reconciliation);
  const refusal = closeRefusal(seen);
  return refusal === null ? ok(seen) : refused(refusal);
}

const refused = (refusal: CloseRefusal): Result<never, RefusedClose> =>
  err({ code: "wrong_state", refusal, detail: CLOSE_REFUSALS[refusal] });

const isEqual = (left: ExactAmount, right: ExactAmount): boolean =>
  differenceOf(left, right).minor === 0n;

async function findFacts(
  first: OpeningBalance,
  day: string,
  now: Date,
  reconciliation: LedgerSteps["reconciliation"],
) {
  const { lane } = first;
  const [previous = null] = await reconciliation.findDayCloses(lane, day);
  const next = await reconciliation.findNextDay(lane);
  return {
    ...laneDay(first, day),
    now,
    firstDay: first.day,
    isClosed: previous !== null && previous.reopening === null,
    areEarlierClosed: next !== null && day <= next,
    hasUnfinishedStatement: await reconciliation.hasUnfinishedStatement(lane, day),
    statement: await reconciliation.findStatement(lane, day),
    previous,
  };
}

interface Closing extends Awaited<ReturnType<typeof findFacts>> {
  readonly first: OpeningBalance;
  readonly money: DayMoney;
  readonly actor: string;
}

/** Computes what a version of a day shows, and stores a difference as a break. */
async function documentOf(day: Closing, reconciliation: LedgerSteps["reconciliation"]) {
  const { first, money, previous, statement } = day;
  const opening = await openingOf(first, day.day, reconciliation);
  if (!opening) throw new Error(`the day before ${day.day} is not closed`);
  const { figures, closing } = figuresOf(opening.amount, money.sums);
  const observed = observedOf(statement);
  const difference = observed && differenceOf(observed.amount, closing);
  await storeDifference(day, { closing, observed: observed?.amount ?? null }, reconciliation);
  const document: CloseDocument = {
    lane: day.lane,
    day: day.day,
    version: (previous?.version ?? 0) + 1,
    zone: first.zone,
    starts_at: day.startsAt.toISOString(),
    ends_at: day.endsAt.toISOString(),
    ...figures,
    opening_from: opening.from,
    observed: observed?.shown ?? null,
    difference: difference && decimal(difference),
    payouts_without_fee: money.withoutFee,
    payouts_returned_since: money.returnedSince,
    open_payouts: money.openPayouts,
    open_breaks: await reconciliation.findOpenBreaks(day.lane, day.day),
    reopened_by: previous?.reopening ?? null,
  };
  // Both balances are stored in one scale.
  const digits = Math.max(closing.minorDigits, observed?.amount.minorDigits ?? 0);
  const inScale = (amount: ExactAmount) => ({
    minor: scaled(amount, digits),
    minorDigits: digits,
  });
  return { document, closing: inScale(closing), observed: observed && inScale(observed.amount) };
}

/** Stores the difference between the balances as a break, or closes the break if there is none. */
async function storeDifference(
  { lane, day, statement, actor }: Closing,
  { closing, observed }: { readonly closing: ExactAmount; readonly observed: ExactAmount | null },
  reconciliation: LedgerSteps["reconciliation"],
): Promise<void> {
  const statementId = statement?.balances ? statement.id : null;
  const compared = { lane, day, statementId, comparison: newId("CM"), actor };
  const difference = observed && differenceOf(observed, closing);
  if (observed && difference && difference.minor !== 0n) {
    const { currency } = laneParts(lane);
    const text = (amount: ExactAmount) => amountText(amount, currency);
    await reconciliation.storeBreaks(compared, [
      {
        class: "unexplained_movement",
        code: CLOSING_BALANCE,
        payoutId: null,
        lines: [],
        ledger: `closing balance ${text(closing)}`,
        statement: `closing balance ${text(observed)}, difference ${text(difference)}`,
        basis: `${text(closing)}; ${text(observed)}`,
        first: null,
      },
    ]);
  }
  await reconciliation.closeGoneBreaks(compared, {
    classes: ["unexplained_movement"],
    codes: [CLOSING_BALANCE],
  });
}

/** Returns what the audit log shows of a version. The digest binds the rest. */
function auditFacts(document: CloseDocument, digest: string): Readonly<Record<string, unknown>> {
  const { lane, day, version, opening, closing, observed, difference } = document;
  return {
    lane,
    day,
    version,
    digest,
    opening,
    closing,
    observed: observed?.amount ?? null,
    difference,
    open_breaks: document.open_breaks.length,
    open_payouts: document.open_payouts.length,
    ...(document.reopened_by && { reopened_by: document.reopened_by.cause }),
  };
}
