import type { z } from "zod";
import type { DEPOSIT_REQUEST } from "#gateway/deposit-messages.ts";
import type { TransactionLog, LogLine } from "./transaction-log.ts";
import type { Target } from "#simulator/faults/fault-rules.ts";
import type { Method } from "./methods.ts";
import { otherAmount } from "./payouts.ts";

export type DepositRequest = z.infer<typeof DEPOSIT_REQUEST>;

/** One deposit as the gateway remembers it. */
export interface KnownDeposit {
  readonly kind: "deposit";
  readonly merchant: string;
  readonly code: string;
  readonly number: string;
  /** The requested amount. */
  readonly amount: string;
  readonly currency: string;
  readonly variant: Method["variant"];
  readonly acceptedAtMs: number;
  readonly expiresAtMs: number;
  readonly callbackUrl: string | null;
  /** Empty for deposits read back from the log, which stores no names. */
  readonly name: string;
  /** The payer has payment instructions. For KRW only after the second step. */
  hasDestination: boolean;
  state: "awaiting_bank" | "pending" | "settled" | "failed" | "manual";
  /** The amount that the payer actually paid. */
  paidAmount: string | null;
  statusQueries: number;
  finalQueries: number;
}

export interface DepositsOptions {
  readonly log: TransactionLog;
  readonly expireMs: number;
  readonly nowMs: () => number;
  /** `DP` and digits, never the same twice. */
  readonly nextNumber: () => string;
  readonly onFinal: (deposit: KnownDeposit) => void;
}

/**
 * All deposits that the gateway knows: rebuilt from the log at startup, and expired by the clock.
 */
export class Deposits {
  readonly #options: DepositsOptions;
  readonly #known = new Map<string, KnownDeposit>();
  readonly #requests = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: DepositsOptions) {
    this.#options = options;
    for (const line of options.log.lines()) this.#replay(line);
    this.#schedule();
  }

  /** Newest first. */
  all(): KnownDeposit[] {
    return [...this.#known.values()].toReversed();
  }

  find(merchant: string, code: string): KnownDeposit | null {
    return this.#known.get(`${merchant} ${code}`) ?? null;
  }

  /** Counts the requests of a code and returns the number of this one, starting at 1. */
  countRequest(merchant: string, code: string): number {
    const key = `${merchant} ${code}`;
    const count = (this.#requests.get(key) ?? 0) + 1;
    this.#requests.set(key, count);
    return count;
  }

  /** Records a deposit. `whenWritten` runs when its line is in the file. */
  accept(
    request: DepositRequest,
    variant: Method["variant"],
    fault: string | null,
    whenWritten: (deposit: KnownDeposit) => void,
  ): void {
    const { log, expireMs, nowMs, nextNumber } = this.#options;
    const line = log.append(
      {
        event: "deposit_accepted",
        merchant: request.merchant_code,
        transaction_code: request.transaction_code,
        transaction_no: nextNumber(),
        amount: request.transaction_amount,
        currency: request.currency_code,
        variant,
        expires_at: nowMs() + expireMs,
        ...(request.callback_url ? { callback_url: request.callback_url } : {}),
        ...(fault ? { fault } : {}),
      },
      () => whenWritten(deposit),
    );
    const deposit = knownDeposit(line, request.deposit_name ?? "");
    this.#known.set(`${deposit.merchant} ${deposit.code}`, deposit);
    this.#schedule();
  }

  /**
   * Gives a code to another client's deposit of a different amount, as if that client had used it
   * first.
   */
  acceptForeign(
    merchant: string,
    { code, amount, currency }: Pick<Target, "code" | "amount" | "currency">,
  ): void {
    const { log, expireMs, nowMs, nextNumber } = this.#options;
    const line = log.append({
      event: "deposit_accepted",
      merchant,
      transaction_code: code,
      transaction_no: nextNumber(),
      amount: otherAmount(amount),
      currency,
      variant: "bank",
      expires_at: nowMs() + expireMs,
      fault: "other_payee",
    });
    this.#known.set(`${merchant} ${code}`, knownDeposit(line, ""));
    this.#schedule();
  }

  /** KRW step 2: from now on the payer may pay. */
  nameAccount(deposit: KnownDeposit, whenWritten: () => void): void {
    deposit.state = "pending";
    deposit.hasDestination = true;
    this.#record(deposit, "deposit_account", {}, whenWritten);
  }

  /** The payer has paid: fully, partly, or after the deadline. */
  pay(deposit: KnownDeposit, amount: string): void {
    deposit.state = "settled";
    deposit.paidAmount = amount;
    this.#record(deposit, "deposit_paid", { amount }, () => this.#options.onFinal(deposit));
  }

  /** The payer has not paid: the deadline has passed, or the gateway refuses. */
  fail(deposit: KnownDeposit): void {
    deposit.state = "failed";
    this.#record(deposit, "deposit_failed", {}, () => this.#options.onFinal(deposit));
  }

  /** The provider has to review it. */
  hold(deposit: KnownDeposit): void {
    deposit.state = "manual";
    this.#record(deposit, "deposit_manual", {}, () => {});
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #record(
    { merchant, code, number, amount, currency }: KnownDeposit,
    event: LogLine["event"],
    more: { readonly amount?: string },
    whenWritten: () => void,
  ): void {
    this.#options.log.append(
      {
        event,
        merchant,
        transaction_code: code,
        transaction_no: number,
        amount,
        currency,
        ...more,
      },
      whenWritten,
    );
  }

  #replay(line: LogLine): void {
    const key = `${line.merchant} ${line.transaction_code}`;
    if (["deposit_accepted", "deposit_refused", "deposit_request"].includes(line.event)) {
      this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    }
    if (line.event === "deposit_accepted") this.#known.set(key, knownDeposit(line, ""));
    const deposit = this.#known.get(key);
    const state = STATES[line.event];
    if (!deposit || !state) return;
    deposit.state = state;
    if (line.event === "deposit_account") deposit.hasDestination = true;
    if (line.event === "deposit_paid") deposit.paidAmount = line.amount ?? null;
  }

  #schedule(): void {
    if (this.#timer) return;
    const open = [...this.#known.values()].filter(isOpen);
    if (open.length === 0) return;
    const nextMs = Math.min(...open.map(({ expiresAtMs }) => expiresAtMs));
    // At least one tick apart, so that thousands expire in few wake-ups.
    const inMs = Math.max(nextMs - this.#options.nowMs(), 10);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const nowMs = this.#options.nowMs();
      for (const deposit of open) {
        if (isOpen(deposit) && deposit.expiresAtMs <= nowMs) this.fail(deposit);
      }
      this.#schedule();
    }, inMs);
  }
}

const isOpen = ({ state }: KnownDeposit): boolean =>
  state === "awaiting_bank" || state === "pending";

const STATES: Readonly<Partial<Record<LogLine["event"], KnownDeposit["state"]>>> = {
  deposit_account: "pending",
  deposit_paid: "settled",
  deposit_failed: "failed",
  deposit_manual: "manual",
};

function knownDeposit(line: LogLine, name: string): KnownDeposit {
  const variant = line.variant ?? "bank";
  return {
    kind: "deposit",
    merchant: line.merchant,
    code: line.transaction_code,
    number: line.transaction_no ?? "",
    amount: line.amount ?? "0",
    currency: line.currency ?? "",
    variant,
    acceptedAtMs: line.at,
    expiresAtMs: line.expires_at ?? line.at,
    callbackUrl: line.callback_url ?? null,
    name,
    hasDestination: variant !== "krw",
    state: variant === "krw" ? "awaiting_bank" : "pending",
    paidAmount: null,
    statusQueries: 0,
    finalQueries: 0,
  };
}
