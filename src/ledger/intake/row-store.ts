import { createHash, type Hash } from "node:crypto";
import { sql } from "kysely";
import { GENERATED_CODE_PATTERN } from "#base/ids.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { RejectedRow } from "#intake/row.ts";
import type { Database } from "#ledger/store/database.ts";
import { FindingWriter } from "#ledger/intake/finding-writer.ts";
import { findRecentPayments } from "#ledger/intake/paid-lately.ts";
import { type CodedRow, rowCodes, type RowSource } from "#ledger/intake/transaction-codes.ts";
import {
  byPayout,
  LARGE_FILE_SETTINGS,
  type NewPayout,
  type OtherRows,
  type RowWriter,
  type StoredRows,
  type WarnedRow,
} from "#ledger/intake/row-writer.ts";
import { searchOpenRetries } from "#ledger/intake/retries/open-retries.ts";
import { userKeyOf } from "#ledger/intake/retries/user-key.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { sealPayout, sealRejected } from "#ledger/store/sealed-rows.ts";
import { holdSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { createTermKeys, type TermKeys } from "#ledger/intake/search-terms.ts";
import { type LaneSum, sumWith } from "#ledger/intake/lane-totals.ts";
import { insertWarnedRows, takeRows, type TakenRows } from "#ledger/intake/warned-rows.ts";
import { hasMixedScripts } from "#payout/rules/names.ts";
import { accountText, bankOf, payloadText } from "#payout/payout.ts";
import { arrayText, type Plain } from "#postgres/array-text.ts";

const DIGEST_BYTES = 32;
const GENERATED_CODE = new RegExp(GENERATED_CODE_PATTERN);

/** Writes rows into a batch. They become visible when the surrounding transaction commits. */
export class RowStore implements RowWriter {
  readonly #transaction: Database;
  readonly #sealer: Sealer;
  readonly #batchId: string;
  readonly #deriveCode: RowWriter["codeFor"];
  readonly #isCorrection: boolean;
  readonly #findings: FindingWriter;
  readonly #terms: TermKeys;
  readonly #content: Hash;
  readonly #lanes = new Map<string, LaneSum>();
  /** The write in progress, while the next chunk is read, checked and sealed. */
  #writing: Promise<void> = Promise.resolve();
  #rows = 0;
  #rejected = 0;
  #putBack = 0;
  /** Codes of the valid rows that were taken back, by line. */
  readonly #codes = new Map<number, string>();
  /** Problems of rows that were valid before they were taken back. */
  readonly newlyInvalid: Problem[] = [];
  #searchRetries: Awaited<ReturnType<typeof searchOpenRetries>> = null;
  #firstId = 0;
  #lastId = 0;

  /** @param corrected content digest of the batch that gets the rows; null: a new batch. */
  constructor(
    transaction: Database,
    sealer: Sealer,
    batch: RowSource & { readonly id: string; readonly digestedFirst?: string },
    corrected: string | null = null,
  ) {
    this.#transaction = transaction;
    this.#sealer = sealer;
    this.#batchId = batch.id;
    this.#deriveCode = rowCodes(sealer.codeDigest, batch);
    this.#isCorrection = corrected !== null;
    this.#content = createHash("sha256").update(corrected ?? batch.digestedFirst ?? "");
    this.#terms = createTermKeys(sealer);
    this.#findings = new FindingWriter(transaction, batch.id);
  }

  /**
   * Runs `fill`, which writes rows. When it ends, even with an error, no write is in progress:
   * others may use the connection directly afterwards, outside a transaction.
   */
  async fillWith<Told>(fill: (rows: this) => Promise<Told>): Promise<Told> {
    try {
      return await fill(this);
    } finally {
      await this.#writing.catch(() => {});
    }
  }

  async begin(): Promise<void> {
    for (const setting of LARGE_FILE_SETTINGS)
      await sql.raw(`set local ${setting}`).execute(this.#transaction);
    await holdSubjectKeys(this.#transaction, this.#sealer);
    this.#searchRetries = await searchOpenRetries(this.#transaction, this.#sealer, this.#batchId);
    await this.#findings.begin();
  }

  /** A row that is read again keeps its generated code, whatever its values are now. */
  codeFor(row: CodedRow): string {
    const before = this.#codes.get(row.line) ?? "";
    return GENERATED_CODE.test(before) ? before : this.#deriveCode(row);
  }

  async findCodesInUse(
    codes: readonly string[],
  ): Promise<Map<string, { batchId: string; line: number }>> {
    if (codes.length === 0) return new Map();
    await this.#writing;
    const rows = await this.#transaction
      .selectFrom("payout_details as d")
      .innerJoin("payouts as p", "p.id", "d.payout_id")
      .select(["d.transaction_code", "p.batch_id", "p.line"])
      .where("d.transaction_code", "in", [...codes])
      .execute();
    return new Map(
      rows.map((row) => [row.transaction_code, { batchId: row.batch_id, line: row.line }]),
    );
  }

  async #findRecentPayments(
    payouts: readonly NewPayout[],
    accounts: readonly Buffer[],
  ): Promise<OtherRows> {
    await this.#writing;
    const payments = payouts.map(({ order: { money } }, at) => {
      return { account: accounts[at] as Buffer, money };
    });
    const [batchId, isCorrection, firstId] = [this.#batchId, this.#isCorrection, this.#firstId];
    const into = { batchId, isCorrection, firstId };
    return byPayout(payouts, await findRecentPayments(this.#transaction, into, payments));
  }

  async findOpenRetries(payouts: readonly NewPayout[]): Promise<OtherRows> {
    if (this.#searchRetries === null) return new Map();
    await this.#writing;
    const rows = payouts.map(({ order: { money, details } }) => {
      const userKey = userKeyOf(this.#sealer, details);
      return { userKey, nameKey: this.#terms.nameOf(details), money };
    });
    return byPayout(payouts, await this.#searchRetries(rows));
  }

  #seal(payout: NewPayout, account: Buffer): Buffer {
    const { order, reference, cells } = payout;
    const { transactionCode: code, details, payoutCode, callbackUrl } = order;
    const sealed = { details, payoutCode, callbackUrl, reference, cells };
    return sealPayout(this.#sealer, { account, code }, sealed);
  }

  /**
   * Seals the payouts during the previous write, then starts their insert. Returns those that
   * `findRecentPayments` finds in another batch.
   */
  async addPayouts(payouts: readonly NewPayout[]): Promise<OtherRows> {
    if (payouts.length === 0) {
      // Chunks without a good row must not pile up either.
      await this.#writing;
      return new Map();
    }
    const accounts = payouts.map(({ order: { money, details } }) =>
      this.#sealer.digest(accountText(money.currency, details)),
    );
    const insert = this.#insertOf(payouts, accounts);
    const paidLately = await this.#findRecentPayments(payouts, accounts);
    this.#write(insert);
    return paidLately;
  }

  /** Runs after the write in progress. */
  #write(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work);
    this.#writing.catch(() => {}); // the next caller that waits gets the error
  }

  /** @param accounts keyed digest of the account of each payout. */
  #insertOf(payouts: readonly NewPayout[], accounts: readonly Buffer[]): () => Promise<void> {
    const bytes: Buffer[] = [];
    const starts: number[] = [];
    const sizes: number[] = [];
    let size = 0;
    for (const [at, payout] of payouts.entries()) {
      const { order, lane } = payout;
      const account = accounts[at] as Buffer;
      const digest = this.#sealer.digest(payloadText(order));
      const sealed = this.#seal(payout, account);
      bytes.push(digest, account, sealed);
      starts.push(size + 1);
      sizes.push(sealed.length);
      size += 2 * DIGEST_BYTES + sealed.length;
      this.#content.update(digest);
      this.#lanes.set(lane, sumWith(this.#lanes.get(lane), lane, order.money));
    }
    const terms = this.#terms.of(payouts);
    const each = <T>(pick: (payout: NewPayout) => T): T[] => payouts.map(pick);
    const numbers = (pick: (payout: NewPayout) => Plain): string => arrayText(payouts.map(pick));
    // All bytes are one value, which is sent in binary form. An array would be sent as text.
    const insert = sql<{ first: number; last: number }>`
      with new_rows as materialized (
        select nextval('payouts_id_seq') as id, v.*,
          substring(b.bytes from start for ${DIGEST_BYTES}::int) as payload,
          substring(b.bytes from start + ${DIGEST_BYTES}::int for ${DIGEST_BYTES}::int) as account,
          substring(b.bytes from start + ${2 * DIGEST_BYTES}::int for size) as sealed
        from (select ${Buffer.concat(bytes)}::bytea as bytes) b, unnest(
          ${numbers(({ line }) => line)}::int[],
          ${each(({ order }) => order.transactionCode)}::text[],
          ${each(({ lane }) => lane)}::text[],
          ${each(({ order }) => order.money.currency)}::text[],
          ${numbers(({ order }) => order.money.minor)}::numeric[],
          ${numbers(({ order }) => order.money.minorDigits)}::smallint[],
          ${each(({ order }) => bankOf(order.details))}::text[],
          ${numbers(({ order }) => this.#terms.tailOf(order.details))}::int[],
          ${numbers(({ order }) => this.#terms.nameOf(order.details))}::bigint[],
          ${numbers(({ order }) => userKeyOf(this.#sealer, order.details))}::bigint[],
          ${numbers(({ order }) => hasMixedScripts(order.details.account_name ?? ""))}::boolean[],
          ${arrayText(starts)}::int[],
          ${arrayText(sizes)}::int[]
        ) with ordinality as v(line, code, lane, currency, minor, digits, bank, tail, name, user_key, mixed, start, size, place)
      ),
      stored_payouts as (
        insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest)
        select id, ${this.#batchId}, line, lane, currency, minor, digits, payload from new_rows
      ),
      stored_details as (
        insert into payout_details
          (payout_id, transaction_code, account_digest, amount_minor, minor_unit, bank, account_tail, name_key, user_key, mixed_scripts, sealed)
        select id, code, account, minor, ('1e-' || digits)::numeric, bank, tail, name, user_key, mixed, sealed from new_rows
      ),
      stored_terms as (
        insert into payout_terms (term, ids)
        select t.term, array_agg(drawn.ids[t.place])
        from (select array_agg(id order by place) as ids from new_rows) drawn,
          unnest(${arrayText(terms.keys)}::bigint[], ${arrayText(terms.places)}::int[]) as t(term, place)
        group by t.term order by t.term
      )
      select min(id) as first, max(id) as last from new_rows`;
    this.#rows += payouts.length;
    return async () => {
      const { rows: bounds } = await insert.execute(this.#transaction);
      this.#firstId ||= bounds[0]?.first ?? 0;
      this.#lastId = bounds[0]?.last ?? this.#lastId;
    };
  }

  async addRejected(rejected: readonly RejectedRow[]): Promise<void> {
    if (rejected.length === 0) return;
    const newly = rejected.filter(({ line }) => this.#codes.has(line));
    this.newlyInvalid.push(...newly.flatMap(({ problems }) => problems));
    const insert = this.#transaction.insertInto("rejected_rows").values(
      rejected.map((row) => ({
        batch_id: this.#batchId,
        line: row.line,
        codes: [...new Set(row.problems.map(({ code }) => code as string))],
        sealed: sealRejected(this.#sealer, this.#batchId, row),
      })),
    );
    this.#rows += rejected.length;
    this.#rejected += rejected.length;
    this.#write(async () => {
      await insert.execute();
      await this.#findings.add(rejected, "rejected");
    });
  }

  async addWarned(warned: readonly WarnedRow[]): Promise<void> {
    if (warned.length === 0) return;
    this.#write(async () => {
      const listed = await this.#findings.add(warned, "good");
      await insertWarnedRows(this.#transaction, this.#sealer, this.#batchId, listed);
    });
  }

  /**
   * Takes back rows that are read again. `strangers`: lines that cannot be taken back or occur
   * twice.
   */
  async takeBack(lines: readonly number[], from: TakenRows) {
    await this.#writing;
    const which = { lines, from };
    const found = await takeRows(this.#transaction, this.#sealer, this.#batchId, which);
    const { taken, codes, putBack } = found;
    for (const [line, code] of codes) this.#codes.set(line, code);
    this.#putBack += putBack;
    await this.#findings.forget([...taken.keys()]);
    // A line that occurs twice is taken once.
    const left = new Set(taken.keys());
    return { taken, strangers: lines.filter((line) => !left.delete(line)) };
  }

  async end(): Promise<StoredRows> {
    await this.#writing;
    await this.#findings.end();
    return {
      rows: this.#rows,
      rejected: this.#rejected,
      takenBack: [...this.#codes.keys()],
      putBack: this.#putBack,
      firstId: this.#firstId,
      lastId: this.#lastId,
      lanes: [...this.#lanes.values()],
      contentDigest: this.#content.digest("hex"),
    };
  }
}
