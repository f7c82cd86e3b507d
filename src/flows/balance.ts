import { spendable } from "#batch/funds.ts";
import type { Clock } from "#clock.ts";
import type { PayDeps } from "#flows/deps.ts";
import { withSlot } from "#flows/slots.ts";
import type { GatewayClient } from "#gateway/client.ts";
import { everyLane, keepBalance, type Lane, lanesOf, mayAskBalance } from "#ledger/balances.ts";
import type { Database } from "#ledger/database.ts";
import { readLimits } from "#ledger/money-limits.ts";
import { wordsOf } from "#log.ts";
import { laneOf } from "#payout/payout.ts";

export interface BalanceDeps extends Pick<PayDeps, "keyring" | "slots" | "log"> {
  readonly database: Database;
  readonly gateway: Pick<GatewayClient, "balance">;
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
}

/** Asks what is in the account of a lane, unless somebody has within the last minute, and keeps the answer. */
async function askBalance({ lane, currency, minorDigits }: Lane, deps: BalanceDeps): Promise<void> {
  const { database, keyring, gateway, log } = deps;
  const merchant = keyring.forCurrency(currency);
  // The lane of a merchant who is not configured any more: nobody can be asked.
  if (!merchant || laneOf(merchant.merchantCode, currency) !== lane) return;
  const askedAt = await mayAskBalance(database, lane);
  if (!askedAt) return;
  try {
    const { answer } = await withSlot(deps, () => gateway.balance(currency));
    const minor = answer.kind === "told" ? spendable(answer.balance, minorDigits) : null;
    const problem = answer.kind === "told" ? "a balance that cannot be read" : answer.text;
    const told = minor === null ? { problem } : { askedAt, minor, minorDigits };
    await keepBalance(database, lane, told);
  } catch (error) {
    log.warn({ err: wordsOf(error), lane }, "balance not asked");
  }
}

const WAIT_MS = 3_000;

/** The same for several lanes. Nobody waits longer than a moment: what comes later is kept for whoever looks next. */
export async function askBalances(lanes: readonly Lane[], deps: BalanceDeps): Promise<void> {
  const asked = Promise.all(lanes.map((lane) => askBalance(lane, deps)));
  const late = new AbortController();
  await Promise.race([asked, deps.clock.sleep(WAIT_MS, late.signal)]);
  late.abort();
}

/** The lanes of a batch, where only what is covered may go out: a balance that was heard before may be too old. */
export async function askWhereItCounts(batchId: string, deps: BalanceDeps): Promise<void> {
  const { when_short } = await readLimits(deps.database);
  if (when_short === "refuse") await askBalances(await lanesOf(deps.database, batchId), deps);
}

/** Asks for the balance of the lanes that wait for money, so that they are not tried in vain. */
export async function watchBalances(deps: BalanceDeps & Pick<PayDeps, "ledger">): Promise<void> {
  const stopped = await deps.ledger.stoppedLanes();
  const short = new Set(stopped.filter(({ brake }) => brake === "balance").map(({ lane }) => lane));
  if (short.size === 0) return;
  const lanes = await everyLane(deps.database);
  await askBalances(
    lanes.filter(({ lane }) => short.has(lane)),
    deps,
  );
}
