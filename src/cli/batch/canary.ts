import { stateText } from "#intake/batch/batch-lifecycle.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { currentActor } from "#cli/terminal/output.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import { CIRCUIT_BREAKER_SETTINGS } from "#payout/lane/circuit-breaker-settings.ts";

const canaryOption = (standard: string) =>
  [
    "--canary <count>",
    `number of payouts per lane (merchant account × currency) that must settle before the others are sent; 0 for none (default:  ${standard})`,
  ] as const;

export const CANARY_OPTION = canaryOption("canary_payouts in CIRCUIT_BREAKERS, otherwise 0");
export const CANARY_OPTION_AT_APPROVAL = canaryOption("unchanged");

/**
 * Parses the number of canary payouts.
 * @throws CliError if it is not a valid number.
 */
export function readCanary(text: string): number {
  const { max } = CIRCUIT_BREAKER_SETTINGS.canary_payouts;
  if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text);
  throw new CliError(EXIT.usage, `--canary ${text}: expected a whole number from 0 to ${max}`);
}

/**
 * Sets the canary of a batch before its approval.
 * @throws CliError if the batch is already approved.
 */
export async function setCanary(
  { id: batchId, state }: Batch,
  payouts: number | undefined,
  ledger: Ledger,
): Promise<void> {
  if (payouts === undefined) return;
  if (await ledger.payout.setCanary({ batchId, payouts, actor: currentActor() })) return;
  throw new CliError(
    EXIT.conflict,
    `The canary of batch ${batchId} can only be set before approval. ${stateText(state)} No changes were made.`,
  );
}

/** Tells a person what to do about a batch that its canary has paused. */
export const canaryText = (batchId: string, reason: string): string =>
  `Batch ${batchId} is waiting for a decision (${reason}). To release the other payouts: payrun batch release ${batchId} --reason TEXT. To cancel them: payrun batch cancel ${batchId}.`;
