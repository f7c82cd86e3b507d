import { printable } from "#base/invisible-characters.ts";
import { type QuarantineCause, riskText } from "#intake/batch/quarantine.ts";
import { timeText } from "#base/time-text.ts";
import { plural } from "#cli/terminal/output.ts";
import type { Freeze, LaneProgress } from "#ledger/ledger.ts";
import type { FindingsSinceFreeze } from "#ledger/integrity/since-freeze.ts";
import { reasonText } from "#payout/reasons.ts";

const sumOf = (lanes: readonly LaneProgress[], count: (lane: LaneProgress) => number): number =>
  lanes.reduce((sum, lane) => sum + count(lane), 0);

const inProgressIn = (lanes: readonly LaneProgress[]): number => sumOf(lanes, ({ open }) => open);
/** Counts the payouts in progress whose status has not been queried since the freeze. */
export const unqueriedIn = (lanes: readonly LaneProgress[]): number =>
  sumOf(lanes, ({ unqueried }) => unqueried);

/** Explains why no payouts are sent. */
export const frozenText = ({ reason, since }: Freeze): string =>
  since === null
    ? `This process is not sending payouts: ${printable(reason)}.`
    : `The ledger has been frozen since ${timeText(since)}, so payrun is not sending payouts: ${printable(reason)}.`;

/** Describes how many payouts in progress have been queried. */
export const queryProgressText = (lanes: readonly LaneProgress[]): string =>
  inProgressIn(lanes) === 0
    ? "no payouts are in progress"
    : `${inProgressIn(lanes) - unqueriedIn(lanes)} of ${inProgressIn(lanes)} payouts in progress have been queried`;

/** Tells what to do about it. */
export function frozenAdviceText(freeze: Freeze, lanes: readonly LaneProgress[]): string {
  if (freeze.cause === "other_epoch")
    return `set LEDGER_EPOCH=${freeze.epoch} here if this is the ledger you want to use`;
  if (freeze.cause === "removed_standby") return "wait, or name the removed standby again";
  return unqueriedIn(lanes) > 0
    ? "let workers query the rest (payrun worker, payrun serve or the same payrun pay command), then: payrun unfreeze --reason TEXT"
    : "to review the findings and resume sending: payrun unfreeze --reason TEXT";
}

/** Describes the risk to people who want to pay, without a command that would cause it. */
export function frozenRiskText(freeze: Freeze, lanes: readonly LaneProgress[]): string {
  if (freeze.cause === "other_epoch")
    return "Set LEDGER_EPOCH here to the epoch of the ledger you want to use.";
  if (freeze.cause === "removed_standby") return "Wait, or name the removed standby again.";
  const asking =
    unqueriedIn(lanes) > 0
      ? "Keep payrun serve or payrun worker running, so that it can query payouts in progress at the gateway. "
      : "";
  return `${asking}This ledger may have lost batches that were paid. Paying the same files again would pay the beneficiaries twice. Before sending anything, compare the ledger with the gateway's records since the backup: docs/operate/restore.md.`;
}

/** Explains why a batch is neither approved nor sent. */
export const quarantineText = (batchId: string, causes: readonly QuarantineCause[]): string =>
  `Batch ${batchId} is in quarantine, so it cannot be approved or sent.\n  ${riskText(causes).map(printable).join("\n  ")}\nTo decide, see docs/operate/restore.md.`;

/** Lists what was found since the ledger froze, and says if there is more than is shown. */
export function findingLines({
  held,
  heldCount,
  strayCodes,
  strayCount,
}: FindingsSinceFreeze): string[] {
  const payouts = heldCount === 1 ? "1 payout has" : `${heldCount || "No"} payouts have`;
  const lines = [`${payouts} been put on hold since the freeze${heldCount > 0 ? ":" : "."}`];
  for (const { transactionCode, batchId, reason } of held) {
    lines.push(`  ${transactionCode}  batch ${batchId}  ${reason ? reasonText(reason) : ""}`);
  }
  const more = heldCount - held.length;
  if (more > 0) lines.push(`  and ${more} more; see the Failures page or payrun export`);
  if (strayCount > 0) {
    const codes = `${strayCodes.join(", ")}${strayCount > strayCodes.length ? ", …" : ""}`;
    lines.push(
      `Since the freeze, callbacks have contained ${plural(strayCount, "transaction code")} that are not in this ledger. These codes may belong to payouts that the ledger has lost: ${codes}`,
    );
  }
  return lines;
}
