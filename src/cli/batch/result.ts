import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { BatchDocument } from "#cli/batch/batches.ts";
import { EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import { styled, table } from "#cli/terminal/output.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import type { Batch, Progress } from "#ledger/ledger.ts";
import { formatMoney, groupDigits } from "#money/format.ts";
import { sumByCurrency } from "#money/money.ts";
import { isFinal, type PayoutState } from "#payout/payout-lifecycle.ts";

/** The output of `pay --json`. A contract: fields are only added. */
export interface ResultDocument {
  readonly batch_id: string;
  readonly state: BatchState;
  readonly rows: number;
  readonly rejected: number;
  /** Total of the accepted rows per currency, as exact decimal text. */
  readonly totals: Readonly<Record<string, string>>;
  readonly states: Readonly<Partial<Record<PayoutState, number>>>;
  readonly sums: Readonly<Record<string, Readonly<Partial<Record<PayoutState, string>>>>>;
  readonly seconds: number;
}

/** Returns the JSON result of a batch with its payouts counted by state. */
export function resultOf(
  { batch_id, state: batchState, rows, rejected, totals }: BatchDocument,
  progress: readonly Progress[],
  seconds: number,
): ResultDocument {
  const states: Partial<Record<PayoutState, number>> = {};
  for (const { state, count } of progress) states[state] = (states[state] ?? 0) + count;

  const sums: Record<string, Partial<Record<PayoutState, string>>> = {};
  for (const state of Object.keys(states) as PayoutState[]) {
    const inState = progress.filter((part) => part.state === state).map(({ sum }) => sum);
    for (const [currency, sum] of sumByCurrency(inState)) {
      sums[currency] = { ...sums[currency], [state]: formatMoney(sum) };
    }
  }
  return {
    batch_id,
    state: batchState,
    rows,
    rejected,
    totals,
    states,
    sums,
    seconds: Math.round(seconds * 10) / 10,
  };
}

/** Currency to exact decimal text. */
const totalTexts = (batch: Batch): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...totalsOf(batch)].map(([currency, total]) => [currency, formatMoney(total)]),
  );

/** Returns a batch as the CLI prints it in JSON. */
export const documentOf = (batch: Batch): BatchDocument => ({
  batch_id: batch.id,
  state: batch.state,
  file: batch.fileName,
  name: batch.name,
  digest: batch.digest,
  content_digest: batch.contentDigest,
  rows: batch.rows,
  rejected: batch.rejected,
  totals: totalTexts(batch),
  created_at: batch.createdAt.toISOString(),
  approved_at: batch.approvedAt?.toISOString() ?? null,
  finished_at: batch.finishedAt?.toISOString() ?? null,
});

/**
 * Returns 0 only if every payout is proven settled. Doubt takes precedence over refusal, because a
 * person must check it.
 */
export function exitCodeOf(progress: readonly Progress[]): ExitCode {
  const has = (test: (state: PayoutState) => boolean) => progress.some(({ state }) => test(state));
  if (has((state) => state === "on_hold" || !isFinal(state))) return EXIT.heldOrInDoubt;
  if (has((state) => state !== "settled")) return EXIT.declined;
  return EXIT.ok;
}

/** State names for people, in lifecycle order. Only "settled" means that the money arrived. */
// biome-ignore format: the columns are the point
const STATE_NAMES: Readonly<Record<PayoutState, string>> = {
  awaiting_approval: "awaiting approval",
  approved:          "approved, not sent yet",
  held_back:         "held back: not sent until released",
  submitting:        "being sent",
  in_doubt:          "in doubt: it may have been paid",
  accepted:          "accepted by the gateway, not settled yet",
  settled:           "settled: the gateway reports that the money has arrived",
  declined:          "declined: not paid",
  on_hold:           "on hold: manual decision required",
  returned:          "returned: settled, then confirmed as failed or reversed",
  cancelled:         "cancelled: not sent",
  resolved:          "resolved manually: see the reason",
};

const BLOCKED = "blocked: exact duplicates need a reason";

type Colour = "green" | "yellow" | "red";
/** Green: the money arrived. Red: it did not. Yellow: a person should look. */
const STATE_COLOURS: Readonly<Partial<Record<PayoutState, Colour>>> = {
  settled: "green",
  held_back: "yellow",
  in_doubt: "yellow",
  on_hold: "yellow",
  returned: "yellow",
  declined: "red",
};

/**
 * Formats one line per currency and state, with counts and totals.
 *
 * @param isBlocked true if exact duplicates block the approval of the batch.
 */
export function resultTable(
  { states, sums }: ResultDocument,
  progress: readonly Progress[],
  isBlocked = false,
): string {
  const names = isBlocked ? { ...STATE_NAMES, awaiting_approval: BLOCKED } : STATE_NAMES;
  const order = Object.keys(STATE_NAMES) as PayoutState[];
  const lines = Object.keys(sums)
    .sort()
    .flatMap((currency) =>
      order
        .filter((state) => sums[currency]?.[state] !== undefined)
        .map((state) => {
          const count = progress
            .filter((part) => part.state === state && part.sum.currency === currency)
            .reduce((sum, part) => sum + part.count, 0);
          const cells = [
            currency,
            String(count),
            groupDigits(sums[currency]?.[state] ?? "", currency),
            names[state],
          ];
          return { cells, colour: STATE_COLOURS[state] };
        }),
    );
  const all = Object.values(states).reduce((sum, count) => sum + (count ?? 0), 0);
  const rows = [
    ["", "payouts", "amount", ""],
    ...lines.map(({ cells }) => cells),
    ["all", String(all), "", ""],
  ];
  return table(rows, new Set([1, 2]))
    .split("\n")
    .map((line, at) => {
      const colour = lines[at - 1]?.colour;
      return colour ? styled(colour, line) : line;
    })
    .join("\n");
}

/** Says that exact duplicates block a batch, and how to allow them. */
export const blockedText = (id: string): string =>
  `Blocked: exact duplicates of payouts in another batch. To allow them: payrun batch allow-duplicates ${id} --reason TEXT`;
