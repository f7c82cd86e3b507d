import { drawn } from "#batch/visible.ts";
import { type QuarantineCause, sayDanger } from "#batch/quarantine.ts";
import type { Freeze, LaneAsked } from "#ledger/ledger.ts";
import type { Findings } from "#ledger/since-freeze.ts";
import { reasonText } from "#payout/reasons.ts";

const sumOf = (lanes: readonly LaneAsked[], count: (lane: LaneAsked) => number): number =>
  lanes.reduce((sum, lane) => sum + count(lane), 0);

const openIn = (lanes: readonly LaneAsked[]): number => sumOf(lanes, ({ open }) => open);
export const unaskedIn = (lanes: readonly LaneAsked[]): number =>
  sumOf(lanes, ({ unasked }) => unasked);

/** Explains why nothing is sent. */
export const frozenText = ({ reason, since }: Freeze): string =>
  since === null
    ? `This process sends nothing: ${drawn(reason)}.`
    : `The ledger is frozen since ${since.toISOString()}, and nothing is sent: ${drawn(reason)}.`;

export const askedText = (lanes: readonly LaneAsked[]): string =>
  openIn(lanes) === 0
    ? "no payout is open"
    : `the gateway was asked for ${openIn(lanes) - unaskedIn(lanes)} of ${openIn(lanes)} open payouts`;

/** Tells what to do about it. */
export function frozenAdvice({ epoch, since }: Freeze, lanes: readonly LaneAsked[]): string {
  if (since === null) return `set LEDGER_EPOCH=${epoch} here, if this is the ledger that you mean`;
  return unaskedIn(lanes) > 0
    ? "let workers ask for the rest (payrun worker, payrun serve or the same payrun pay), then: payrun unfreeze --reason TEXT"
    : "look at what was found, and let it send again: payrun unfreeze --reason TEXT";
}

/** Describes the risk to people who want to pay, without a command that would cause it. */
export function frozenDanger({ since }: Freeze, lanes: readonly LaneAsked[]): string {
  if (since === null) return "Set LEDGER_EPOCH here to the epoch of the ledger that you mean.";
  const asking =
    unaskedIn(lanes) > 0
      ? "Leave payrun serve or payrun worker running: they ask the gateway for the open payouts. "
      : "";
  return `${asking}This ledger may have forgotten batches that were paid, and paying their files again pays them a second time. Compare the gateway's records from the time of the backup on before anything is sent: docs/restore.md.`;
}

/** Explains why a batch is neither approved nor sent. */
export const quarantineText = (batchId: string, causes: readonly QuarantineCause[]): string =>
  `Batch ${batchId} is in quarantine: it is neither approved nor sent.\n  ${sayDanger(causes).map(drawn).join("\n  ")}\nHow to decide about it: docs/restore.md.`;

/** Lists what was found since the ledger froze, and says if there is more than is shown. */
export function findingLines({ held, heldCount, strayCodes, strayCount }: Findings): string[] {
  const payouts = heldCount === 1 ? "1 payout is" : `${heldCount} payouts are`;
  const lines = [`${payouts} on hold since then${heldCount > 0 ? ":" : "."}`];
  for (const { transactionCode, batchId, reason } of held) {
    lines.push(`  ${transactionCode}  batch ${batchId}  ${reason ? reasonText(reason) : ""}`);
  }
  const more = heldCount - held.length;
  if (more > 0) lines.push(`  and ${more} more: the page Failures, or payrun export, has them all`);
  if (strayCount > 0) {
    const codes = `${strayCodes.join(", ")}${strayCount > strayCodes.length ? ", …" : ""}`;
    lines.push(
      `${strayCount} codes that this ledger does not have were named by callbacks since then. They may be payouts that it forgot: ${codes}`,
    );
  }
  return lines;
}
