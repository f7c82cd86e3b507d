import { shareOf } from "#simulator/state/fee.ts";
import { hash } from "node:crypto";
import type { PayoutRequest } from "#gateway/wire/messages.ts";
import type { TransactionLog, LogLine, FinalState } from "./transaction-log.ts";
import { seededRandom } from "#simulator/faults/seeded-random.ts";

/** One payout as the gateway remembers it. */
export interface KnownPayout {
  readonly kind: "payout";
  readonly merchant: string;
  readonly code: string;
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  /** Charged when it settles, and kept when it is returned. */
  readonly fee: string;
  readonly acceptedAtMs: number;
  readonly outcome: FinalState;
  readonly callbackUrl: string | null;
  /** Only in memory, for faults selected by name. Empty after a restart. */
  readonly name: string;
  /** The same as for `name`. */
  readonly bankCode: string;
  state: "pending" | FinalState | "returned";
  /** After this the code is neither a duplicate nor found by status queries (fault `forget`). */
  forgottenAtMs: number | null;
  /**
   * A refused request that used up its code: a duplicate, but not found by status queries (fault
   * `burn`).
   */
  readonly isBurned: boolean;
  statusQueries: number;
  /**
   * Number of queries that a fault has answered since the payout was final; for faults whose answer
   * changes over time.
   */
  finalQueries: number;
}

export interface PayoutsOptions {
  readonly log: TransactionLog;
  readonly seed: number;
  readonly settleMs: number;
  /** Share of accepted payouts that fail, from 0 to 1. */
  readonly declines: number;
  /** As a percentage of the amount: "0.5". */
  readonly feePercent: string;
  readonly nowMs: () => number;
  /** `WD` and digits, never the same twice. */
  readonly nextNumber: () => string;
  readonly onFinal: (payout: KnownPayout) => void;
}

/**
 * All payouts that the gateway knows: rebuilt from the log at startup, and settled by the clock.
 */
export class Payouts {
  readonly #options: PayoutsOptions;
  readonly #known = new Map<string, KnownPayout>();
  /** Payouts whose code was accepted once more, which only a fault does. */
  readonly #earlier = new Map<string, KnownPayout[]>();
  readonly #requests = new Map<string, number>();
  /**
   * In order of acceptance, which is the order of settlement because all payouts have the same
   * delay.
   */
  #unsettled: KnownPayout[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(options: PayoutsOptions) {
    this.#options = options;
    for (const line of options.log.lines()) this.#replay(line);
    this.#unsettled = [...this.#known.values(), ...[...this.#earlier.values()].flat()].filter(
      (payout) => payout.state === "pending" && !payout.isBurned,
    );
    this.#schedule();
  }

  /** Counts the requests of a code and returns the number of this one, starting at 1. */
  countRequest(merchant: string, code: string): number {
    const key = `${merchant} ${code}`;
    const count = (this.#requests.get(key) ?? 0) + 1;
    this.#requests.set(key, count);
    return count;
  }

  find(merchant: string, code: string): KnownPayout | null {
    const payout = this.#known.get(`${merchant} ${code}`);
    if (!payout) return null;
    const { forgottenAtMs } = payout;
    return forgottenAtMs !== null && this.#options.nowMs() >= forgottenAtMs ? null : payout;
  }

  /** Every payout that was accepted under the code, the newest first. */
  findAll(merchant: string, code: string): readonly KnownPayout[] {
    const newest = this.find(merchant, code);
    return newest ? [newest, ...(this.#earlier.get(`${merchant} ${code}`) ?? [])] : [];
  }

  #know(payout: KnownPayout): void {
    const key = `${payout.merchant} ${payout.code}`;
    const before = this.#known.get(key);
    const isSecond = before && !before.isBurned && before.forgottenAtMs === null;
    if (isSecond) this.#earlier.set(key, [before, ...(this.#earlier.get(key) ?? [])]);
    this.#known.set(key, payout);
  }

  /** Records an accepted payout. `whenWritten` runs when its line is in the file. */
  accept(request: PayoutRequest, fault: string | null, whenWritten: () => void): KnownPayout {
    const { log, seed, declines } = this.#options;
    const code = request.transaction_code;
    const fate: FinalState = seededRandom(seed, "fate", code) < declines ? "failed" : "settled";
    const account = request.bank_account_number ?? request.address ?? "";
    const line = log.append(
      {
        event: "accepted",
        merchant: request.merchant_code,
        transaction_code: code,
        transaction_no: this.#options.nextNumber(),
        amount: request.transaction_amount,
        currency: request.currency_code,
        payee: payeeDigest(account, request.bank_code ?? request.ifsc_code ?? ""),
        payee_masked: account === "" ? "" : `…${account.slice(-4)}`,
        fate,
        ...(request.callback_url ? { callback_url: request.callback_url } : {}),
        ...(fault ? { fault } : {}),
      },
      whenWritten,
    );
    const payout = this.#payoutOf(line, request);
    this.#know(payout);
    this.#unsettled.push(payout);
    this.#schedule();
    return payout;
  }

  /**
   * Gives the code of a request another beneficiary and amount, as if another client had used it
   * first.
   */
  acceptForeign(request: PayoutRequest): void {
    const line = this.#options.log.append({
      event: "foreign",
      merchant: request.merchant_code,
      transaction_code: request.transaction_code,
      transaction_no: this.#options.nextNumber(),
      amount: otherAmount(request.transaction_amount),
      currency: request.currency_code,
      payee: payeeDigest("somebody else", ""),
      fate: "settled",
      fault: "other_payee",
    });
    this.#known.set(`${line.merchant} ${line.transaction_code}`, this.#payoutOf(line));
  }

  /** Uses up a code without a payout. */
  burn(request: PayoutRequest, line: LogLine): void {
    const payout = this.#payoutOf(line, request);
    this.#known.set(`${payout.merchant} ${payout.code}`, payout);
  }

  /** Newest first. */
  all(): KnownPayout[] {
    return [...this.#known.values()].toReversed();
  }

  /** Finishes a payout before its time, or changes its state again afterwards. */
  finish(payout: KnownPayout, end: FinalState | "returned"): void {
    this.#unsettled = this.#unsettled.filter((other) => other !== payout);
    this.#end(payout, end);
  }

  #end(payout: KnownPayout, end: FinalState | "returned"): void {
    payout.state = end;
    this.#options.log.append(
      {
        event: end,
        merchant: payout.merchant,
        transaction_code: payout.code,
        transaction_no: payout.number,
        amount: payout.amount,
        currency: payout.currency,
      },
      () => this.#options.onFinal(payout),
    );
  }

  #payoutOf(line: LogLine, request?: Unlogged): KnownPayout {
    return knownPayout(line, this.#options.feePercent, request);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #replay(line: LogLine): void {
    const key = `${line.merchant} ${line.transaction_code}`;
    if (["accepted", "refused", "request"].includes(line.event)) {
      this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    }
    if (line.event === "settled" || line.event === "failed" || line.event === "returned") {
      const all = [this.#known.get(key), ...(this.#earlier.get(key) ?? [])];
      const payout = all.find((each) => each?.number === line.transaction_no) ?? all[0];
      if (payout) payout.state = line.event;
    } else if (["accepted", "foreign"].includes(line.event) || line.fault === "burn") {
      this.#know(this.#payoutOf(line));
    }
  }

  #schedule(): void {
    const [next] = this.#unsettled;
    if (this.#timer || !next) return;
    const dueInMs = next.acceptedAtMs + this.#options.settleMs - this.#options.nowMs();
    // At least one tick apart, so that thousands of payouts settle in few wake-ups.
    this.#timer = setTimeout(() => this.#settleDue(), Math.max(dueInMs, 10));
  }

  #settleDue(): void {
    this.#timer = null;
    const dueBefore = this.#options.nowMs() - this.#options.settleMs;
    const count = this.#unsettled.findIndex(({ acceptedAtMs }) => acceptedAtMs > dueBefore);
    const due = this.#unsettled.splice(0, count === -1 ? this.#unsettled.length : count);
    for (const payout of due) this.#end(payout, payout.outcome);
    this.#schedule();
  }
}

/** The part of a payout request that the transaction log omits. */
type Unlogged = Pick<PayoutRequest, "account_name" | "bank_code">;

function knownPayout(line: LogLine, feePercent: string, request?: Unlogged): KnownPayout {
  return {
    kind: "payout",
    merchant: line.merchant,
    code: line.transaction_code,
    number: line.transaction_no ?? "",
    amount: line.amount ?? "0",
    currency: line.currency ?? "",
    fee: shareOf(line.amount ?? "0", feePercent),
    acceptedAtMs: line.at,
    outcome: line.fate ?? "settled",
    callbackUrl: line.callback_url ?? null,
    name: request?.account_name ?? "",
    bankCode: request?.bank_code ?? "",
    state: line.event === "foreign" ? "settled" : "pending",
    forgottenAtMs: null,
    isBurned: line.event === "refused",
    statusQueries: 0,
    finalQueries: 0,
  };
}

const payeeDigest = (account: string, bank: string): string =>
  hash("sha256", `${bank}\n${account}`).slice(0, 16);

/** Increments the first digit: a different amount of the same length that is equally valid. */
export const otherAmount = (amount: string): string =>
  amount.replace(/^\d/, (digit) => (digit === "9" ? "1" : String(Number(digit) + 1)));
