import type { ApprovedRow } from "./approved-row.ts";
import type { TransactionLog } from "#proof/simulation/gateway/transaction-log.ts";
import type { PayoutRow, Tables } from "#proof/simulation/ledger/tables.ts";

/** The checker's view of retried rows, each time under a new code. */
export class RetryChains {
  readonly #tables: Tables;
  readonly #log: TransactionLog;
  readonly #resendAfterMs: number;
  readonly #fail: (invariant: string, what: string) => void;
  /** The code that each one follows, including those that a restored ledger has forgotten. */
  readonly #parents = new Map<string, string>();
  /** Rows that were paid under two codes, because the gateway denied that it had the first one. */
  denied = 0;
  /** Claims that were compared with the payouts they retry. */
  readonly #claims = new Set<string>();

  constructor(
    tables: Tables,
    log: TransactionLog,
    resendAfterMs: number,
    fail: (invariant: string, what: string) => void,
  ) {
    this.#tables = tables;
    this.#log = log;
    this.#resendAfterMs = resendAfterMs;
    this.#fail = fail;
  }

  /**
   * Registers a retry batch: its codes get their rows, and no payout is retried twice concurrently.
   */
  addBatch(batchId: string, rows: Map<string, ApprovedRow>): void {
    const { payouts, descendants } = this.#tables;
    const live = new Set<number>();
    for (const { parentId, live: isLive } of descendants.values()) {
      if (isLive && live.has(parentId))
        this.#fail("I1", `payout ${parentId} is retried twice at once`);
      if (isLive) live.add(parentId);
    }
    for (const { id, batchId: of, order } of payouts) {
      if (of !== batchId) continue;
      const above = payouts[(descendants.get(id)?.parentId ?? 0) - 1];
      const parent = above?.order.transactionCode;
      const row = parent && rows.get(parent);
      if (!parent || !row) continue;
      // The gateway may have reversed its answer since.
      if (!above.transitions.some(({ to }) => to === "declined" || to === "returned")) {
        this.#fail("I6", `${order.transactionCode} retries ${parent}, which was not declined`);
      }
      rows.set(order.transactionCode, row);
      this.#parents.set(order.transactionCode, parent);
    }
  }

  has(code: string): boolean {
    return this.#parents.has(code);
  }

  /** A retry is claimed only while all its predecessors are declined or returned. */
  recordClaim({ id, order, attempted }: PayoutRow): void {
    const { payouts, descendants } = this.#tables;
    const claim = `${order.transactionCode} ${attempted.length}`;
    if (this.#claims.has(claim)) return;
    this.#claims.add(claim);
    for (const above of descendants.get(id)?.ancestors ?? []) {
      const { state, order: before } = payouts[above - 1] ?? {};
      if (state === "declined" || state === "returned") continue;
      this.#fail(
        "I1",
        `${order.transactionCode} retries ${before?.transactionCode}, and is sent although that one is ${state}`,
      );
    }
  }

  /**
   * The gateway pays one of all codes that a row ever had, unless it contradicted itself about
   * them.
   *
   * @param lost codes of files that a restore has lost completely.
   */
  end(
    nowMs: number,
    rowOf: (code: string) => ApprovedRow | undefined,
    lost: ReadonlySet<string>,
  ): void {
    const paid = new Map<ApprovedRow, string>();
    for (const code of this.#log.entries.keys()) {
      if (this.#log.broken.has(code) || this.#log.moneyMovedFor(code, nowMs) !== "completed")
        continue;
      const row = rowOf(code);
      if (!row) continue;
      const other = paid.get(row);
      if (other && !this.#isGap(other, code, lost)) this.#paidTwice(code, other);
      paid.set(row, code);
    }
  }

  /**
   * Paid in a retry batch that was lost with its file, which was uploaded again after the ledger
   * was unfrozen: docs/operate/restore.md.
   */
  #isGap(earlier: string, code: string, lost: ReadonlySet<string>): boolean {
    const isGap = this.#parents.has(earlier) && lost.has(code) && this.#firstOf(earlier) === code;
    if (isGap) this.denied += 1;
    return isGap;
  }

  #firstOf(code: string): string {
    const parent = this.#parents.get(code);
    return parent === undefined ? code : this.#firstOf(parent);
  }

  #paidTwice(code: string, other: string): void {
    const { entries, broken } = this.#log;
    const takenMs = (one: string) => entries.get(one)?.takenMs ?? 0;
    const earlier = takenMs(code) < takenMs(other) ? code : other;
    // The other condition of the guarantee: docs/operate/restore.md.
    if (this.#log.deniedForMs(earlier) >= this.#resendAfterMs) {
      broken.set(earlier, "reported it as unknown long after a restore, although it had it");
      this.denied += 1;
    } else this.#fail("I1", `${code} and ${other} are paid, and both pay one row`);
  }
}
