import { systemClock } from "#base/clock.ts";
import type { MerchantEntry } from "#gateway/wire/messages.ts";
import type { UnknownCodeShape } from "#simulator/endpoints/status.ts";
import { type FaultRule, faultChooser } from "#simulator/faults/fault-rules.ts";
import type { RefusalStyle } from "#simulator/faults/texts.ts";
import { Accounts } from "#simulator/state/accounts.ts";
import { createCallbacks } from "#simulator/state/callbacks.ts";
import { Deposits } from "#simulator/state/deposits.ts";
import { Payouts } from "#simulator/state/payouts.ts";
import type { ZoneLabel } from "#simulator/state/time-zone.ts";
import { countLoad } from "#simulator/state/traffic.ts";
import { openTransactionLog } from "#simulator/state/transaction-log.ts";
import type { Parsing } from "#simulator/wire/envelope.ts";
import { merchantsByCode } from "#simulator/wire/merchants.ts";
import { uniqueNumbers } from "./unique-numbers.ts";

export interface SimulatorOptions {
  readonly host: string;
  /** port to listen on; 0 chooses a free port. */
  readonly port: number;
  readonly merchants: readonly MerchantEntry[];
  readonly faults: readonly FaultRule[];
  readonly seed: number;
  readonly logPath: string;
  readonly settleMs: number;
  readonly declines: number;
  /** Fee of each settled payout, as a percentage of its amount: "0.5". */
  readonly feePercent: string;
  /** Decimal amounts by currency. A currency that is not listed has no limit. */
  readonly balances: Readonly<Record<string, string>>;
  readonly refusals: RefusalStyle;
  readonly unknownCodeShape: UnknownCodeShape;
  readonly parsing: Parsing;
  /** How long a deposit waits for its payer. */
  readonly expireMs: number;
  /** Time zone of expiry times. */
  readonly zone: ZoneLabel;
  readonly backOfficeUrl: string | null;
}

/** State of one simulated gateway, which its endpoints share. */
export type SimulatedGateway = ReturnType<typeof openGateway>;

/** Opens the transaction log and rebuilds the payouts and deposits that the log contains. */
export function openGateway(options: SimulatorOptions) {
  const { seed, settleMs, declines, feePercent, expireMs } = options;
  const nowMs = () => systemClock.nowMs();
  const byCode = merchantsByCode(options.merchants);
  const merchantOf = (code: string) => byCode.get(code) ?? null;
  const faults = faultChooser(seed, options.faults);
  const accounts = new Accounts(options.balances);
  const traffic = countLoad();
  const log = openTransactionLog(options.logPath, nowMs, () => traffic.drain());
  const callbacks = createCallbacks({ faults, merchantOf, backOfficeUrl: options.backOfficeUrl });
  const payouts = new Payouts({
    log,
    seed,
    settleMs,
    declines,
    feePercent,
    nowMs,
    nextNumber: uniqueNumbers("WD", 1000n, nowMs),
    onFinal(payout) {
      if (payout.state === "settled") accounts.take(payout.currency, payout.fee);
      else accounts.give(payout.currency, payout.amount);
      callbacks.send(payout);
    },
  });
  const deposits = new Deposits({
    log,
    expireMs,
    nowMs,
    nextNumber: uniqueNumbers("DP", 1n, nowMs),
    onFinal(deposit) {
      if (deposit.paidAmount !== null) accounts.give(deposit.currency, deposit.paidAmount);
      callbacks.send(deposit);
    },
  });
  return {
    nowMs,
    merchantOf,
    faults,
    accounts,
    traffic,
    log,
    callbacks,
    payouts,
    deposits,
    /** Stops the timers. The log stays open for the requests under way. */
    stop() {
      payouts.stop();
      deposits.stop();
      callbacks.stop();
      traffic.stop();
    },
  };
}
