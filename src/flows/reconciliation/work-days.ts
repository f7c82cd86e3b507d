import { err, type Result } from "#base/result.ts";
import type { AskedDay } from "#flows/reconciliation/close-day.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import {
  ChangedSinceProposal,
  type ResolutionRefusal,
  runOrRefuse,
} from "#ledger/payout/resolution-refusals.ts";
import type { DayProposal } from "#ledger/reconciliation/day-proposals.ts";
import { laneDay, observedOf, openingOf } from "#flows/reconciliation/day-money.ts";
import type { OpeningBalance } from "#ledger/reconciliation/day-closes.ts";
import { decimal, differenceOf, figuresOf } from "#reconciliation/day-figures.ts";
import type { ExactAmount } from "#reconciliation/records.ts";

/** A change of a day that a person proposes. */
export interface ProposedChange extends AskedDay {
  /** An adjustment of the closing balance. Null: the day is reopened. */
  readonly amount: ExactAmount | null;
  readonly reason: string;
  readonly actor: string;
}

type DayRefusal =
  | "not_found"
  | { readonly code: "wrong_state"; readonly detail: string }
  | ResolutionRefusal;

const NO_DIFFERENCE =
  "The computed closing balance equals the one on the statement, so there is no difference to explain.";

/**
 * Returns whether the computed closing balance of a day equals the observed one now. Unknown
 * balances are not equal.
 */
async function isBalanced(
  first: OpeningBalance,
  day: string,
  reconciliation: LedgerSteps["reconciliation"],
): Promise<boolean> {
  const observed = observedOf(await reconciliation.findStatement(first.lane, day));
  const opening = observed && (await openingOf(first, day, reconciliation));
  if (!opening) return false;
  const { sums } = await reconciliation.findDayMoney(laneDay(first, day));
  return differenceOf(observed.amount, figuresOf(opening.amount, sums).closing).minor === 0n;
}

const wrong = (detail: string): Result<never, DayRefusal> => err({ code: "wrong_state", detail });

/**
 * Proposes an adjustment of a day with a difference, or to reopen it. On the command line of a
 * ledger without approvers, it takes effect immediately.
 */
export async function proposeOnDay(
  { lane, day, amount, reason, actor }: ProposedChange,
  deps: StatementDeps,
): Promise<Result<true, DayRefusal>> {
  const { reconciliation } = deps.ledger;
  const [first] = await reconciliation.findOpeningBalances(lane);
  if (!first || day < first.day) return wrong("The days of the lane start later.");
  const [newest] = await reconciliation.findDayCloses(lane, day);
  if (amount === null && (!newest || newest.reopening)) return wrong("The day is not closed.");
  if (amount !== null && (await isBalanced(first, day, reconciliation)))
    return wrong(NO_DIFFERENCE);
  const kind = amount === null ? "reopening" : "adjustment";
  const version = newest?.version ?? 0;
  const proposal = { lane, day, version, kind, amount, reason, proposedBy: actor } as const;
  return runOrRefuse(
    deps.ledger.transaction(async (transaction) => {
      const id = await transaction.reconciliation.insertDayProposal(proposal);
      const work = { transaction, at: new Date(deps.clock.nowMs()), actor };
      const isAlone = actor.startsWith("cli:") && !(await transaction.payout.hasApprover());
      // The decision locks the days of the lane; a close does so before it locks the audit log.
      if (isAlone)
        await transaction.reconciliation.decideDayProposal({ id, outcome: "alone", by: actor });
      await record(work, proposal, "proposed");
      if (isAlone) await record(work, proposal, "agreed");
    }),
  );
}

/** Confirms or refuses a proposal. The approver must not be its proposer. */
export async function decideOnDay(
  { id, agree, actor }: { readonly id: number; readonly agree: boolean; readonly actor: string },
  { ledger, clock }: StatementDeps,
): Promise<Result<true, DayRefusal>> {
  const proposal = await ledger.reconciliation.findDayProposal(id);
  if (!proposal) return err("not_found");
  const [first] = await ledger.reconciliation.findOpeningBalances(proposal.lane);
  const isAdjusted = agree && proposal.kind === "adjustment" && first;
  if (isAdjusted && (await isBalanced(first, proposal.day, ledger.reconciliation))) {
    return wrong(NO_DIFFERENCE);
  }
  return runOrRefuse(
    ledger.transaction(async (transaction) => {
      const outcome = agree ? "agreed" : "refused";
      const decided = await transaction.reconciliation.decideDayProposal({
        id,
        outcome,
        by: actor,
      });
      if (!decided) throw new ChangedSinceProposal();
      await record({ transaction, at: new Date(clock.nowMs()), actor }, proposal, outcome);
    }),
  );
}

interface Work {
  readonly transaction: LedgerSteps;
  readonly at: Date;
  readonly actor: string;
}

const ACTIONS = {
  adjustment: {
    proposed: "propose_adjustment",
    refused: "refuse_adjustment",
    agreed: "adjust_day",
  },
  reopening: {
    proposed: "propose_reopening",
    refused: "refuse_reopening",
    agreed: "reopen_day",
  },
} as const;

async function record(
  { transaction, at, actor }: Work,
  proposal: Pick<DayProposal, "lane" | "day" | "kind" | "amount" | "reason" | "proposedBy">,
  step: "proposed" | "refused" | "agreed",
): Promise<void> {
  const { lane, day, kind, amount, reason, proposedBy } = proposal;
  const facts = {
    lane,
    day,
    ...(amount && { amount: decimal(amount) }),
    reason,
    ...(step !== "proposed" && { proposed_by: proposedBy }),
  };
  const action = ACTIONS[kind][step];
  await transaction.integrity.appendAudit(at, { actor, action, object: `${lane} ${day}`, facts });
}
