import { spendableBalance } from "#approval/funds.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { Clock } from "#base/clock.ts";
import type { PayDeps } from "#flows/deps.ts";
import { withSlot } from "#flows/request-slots.ts";
import type { GatewayClient } from "#gateway/client.ts";
import type { LaneCurrency } from "#ledger/payout/lane/balances.ts";
import { messageOf } from "#base/log.ts";
import { laneOf } from "#payout/payout.ts";

export interface BalanceDeps extends Pick<PayDeps, "keyring" | "slots" | "log"> {
  readonly ledger: LedgerSteps;
  readonly gateway: Pick<GatewayClient, "balance">;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
}

/**
 * Queries the balance of a lane, unless it was queried within the last minute, and stores the
 * answer.
 */
async function queryBalance(
  { lane, currency, minorDigits }: LaneCurrency,
  deps: BalanceDeps,
): Promise<void> {
  const { ledger, keyring, gateway, log } = deps;
  const merchant = keyring.forCurrency(currency);
  // The merchant of this lane is no longer configured, so its balance cannot be queried.
  if (!merchant || laneOf(merchant.merchantCode, currency) !== lane) return;
  const askedAt = await ledger.payout.claimBalanceQuery(lane);
  if (!askedAt) return;
  try {
    const { answer } = await withSlot(deps, () => gateway.balance(currency));
    const minor = answer.kind === "told" ? spendableBalance(answer.balance, minorDigits) : null;
    const problem =
      answer.kind === "told" ? "the gateway's response could not be read" : answer.text;
    const told = minor === null ? { problem } : { askedAt, minor, minorDigits };
    await ledger.payout.storeBalance(lane, told);
  } catch (error) {
    log.warn({ err: messageOf(error), lane }, "balance query failed");
  }
}

const WAIT_MS = 3_000;

/**
 * Queries the balances of several lanes. The caller waits only for a moment; a later answer is
 * stored for the next reader.
 */
export async function queryBalances(
  lanes: readonly LaneCurrency[],
  deps: BalanceDeps,
): Promise<void> {
  const asked = Promise.all(lanes.map((lane) => queryBalance(lane, deps)));
  const late = new AbortController();
  await Promise.race([asked, deps.clock.sleep(WAIT_MS, late.signal)]);
  late.abort();
}

/**
 * Queries the balances of a batch's lanes if batches that are not covered are refused
 * (`when_short`), because the stored balances may be too old.
 */
export async function queryBalancesThatCount(batchId: string, deps: BalanceDeps): Promise<void> {
  const { when_short } = await deps.ledger.approval.readPayoutLimits();
  if (when_short === "refuse")
    await queryBalances(await deps.ledger.payout.findBatchLanes(batchId), deps);
}

/**
 * Queries the balances of the lanes that wait for money, so that their payouts are not tried in
 * vain.
 */
export async function queryWaitingBalances(
  deps: BalanceDeps & Pick<PayDeps, "ledger">,
): Promise<void> {
  const stopped = await deps.ledger.payout.stoppedLanes();
  const short = new Set(
    stopped.filter(({ breaker }) => breaker === "balance").map(({ lane }) => lane),
  );
  if (short.size === 0) return;
  const lanes = await deps.ledger.payout.findAllLanes();
  await queryBalances(
    lanes.filter(({ lane }) => short.has(lane)),
    deps,
  );
}
