import { createHash } from "node:crypto";
import type { StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import { amountText, isEqualAmount } from "#reconciliation/break-classes.ts";
import type { StatementBalances } from "#ledger/reconciliation/statements.ts";
import type { ExactAmount, StatementLine } from "#reconciliation/records.ts";
import type { StatementMapping } from "#reconciliation/statement-mapping.ts";
import { balancesOf, type StatedBalances } from "#reconciliation/statement-balances.ts";
import { openStatement } from "#reconciliation/statement-reader.ts";
import type { StatementProblem } from "#reconciliation/statement-table.ts";

/** Thrown to roll back a statement that cannot be read completely. */
export class Unreadable extends Error {
  readonly problems: readonly StatementProblem[];

  constructor(problems: readonly StatementProblem[]) {
    super("the statement cannot be read");
    this.problems = problems;
  }
}

/** Thrown if the stored mapping does not fit the header of this statement. */
export class OtherHeader extends Error {}

/** Thrown to roll back a statement with lines outside its day that nobody has confirmed. */
export class HasLinesOutsideDay extends Error {
  readonly count: number;

  constructor(count: number) {
    super("the statement has lines of other days");
    this.count = count;
  }
}

/** Returns the SHA-256 of a file in hex. */
export async function digestOf({ open }: StatementUpload): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of open()) hash.update(bytes);
  return hash.digest("hex");
}

/** The stored content of a statement. */
interface StoredLines {
  readonly digest: string;
  readonly lines: number;
  /** As the file states or a person gave them. Null: neither. */
  readonly balances: StatementBalances | null;
  /** The balances in the file, which may state only one. */
  readonly stated: StatedBalances;
}

/**
 * Stores the lines.
 *
 * @throws Unreadable if a row cannot be read, no line is from the day, the lines do not have the
 * given number or sum, or the file is about another account or day.
 */
export async function storeLines(
  id: string,
  upload: StatementUpload,
  mapping: StatementMapping,
  { from, to }: { readonly from: Date; readonly to: Date },
  { reconciliation }: LedgerSteps,
): Promise<StoredLines> {
  const { open, account, actor } = upload;
  const opened = await openStatement(open(), mapping, account, { sender: actor });
  if (!opened.ok) {
    const { kind, problems } = opened.error;
    throw kind === "header" ? new OtherHeader(problems[0]?.message) : new Unreadable(problems);
  }
  const counted = new LineCounts(upload, from, to);
  const writer = new LineWriter((lines) => reconciliation.insertStatementLines(id, lines));
  for await (const lines of opened.value.lines) {
    for (const line of lines) counted.add(line);
    await writer.add(lines);
  }
  await writer.end();
  const totals = opened.value.end();
  if (!totals.ok) throw new Unreadable(totals.error);
  const { digest, rows, facts } = totals.value;
  const { day, balances: given } = upload;
  const found = balancesOf(facts, { ...account, day, balances: given });
  const wrong = [...(found.ok ? [] : found.error), ...counted.problems(mapping.zone)];
  if (!found.ok || wrong.length > 0) throw new Unreadable(wrong);
  if (counted.outside !== upload.outsideDay) throw new HasLinesOutsideDay(counted.outside);
  return { digest, lines: rows, ...found.value };
}

type CountedUpload = Pick<StatementUpload, "day" | "account" | "control">;

/** Counts the lines of a statement, and adds up those in the currency of its account. */
export class LineCounts {
  readonly #upload: CountedUpload;
  readonly #from: Date;
  readonly #to: Date;
  #lines = 0;
  #ofDay = 0;
  #outside = 0;
  #otherCurrencies = 0;
  readonly #sums = new Map<number, bigint>();

  constructor(upload: CountedUpload, from: Date, to: Date) {
    this.#upload = upload;
    this.#from = from;
    this.#to = to;
  }

  add({ at, status, amount: { minor, minorDigits }, currency }: StatementLine): void {
    this.#lines += 1;
    if (currency === this.#upload.account.currency) {
      this.#sums.set(minorDigits, (this.#sums.get(minorDigits) ?? 0n) + minor);
    } else this.#otherCurrencies += 1;
    if (!at) return;
    // A payout that is still pending may have been accepted on an earlier day.
    const isFromDay = at < this.#to && (at >= this.#from || status === "pending");
    if (isFromDay) this.#ofDay += 1;
    else this.#outside += 1;
  }

  get lines(): number {
    return this.#lines;
  }

  /** Number of lines with a time outside the day. */
  get outside(): number {
    return this.#outside;
  }

  /** Returns why the lines are not those of the day. */
  problems(zone: string): StatementProblem[] {
    const { day, control, account } = this.#upload;
    const problems: StatementProblem[] = [];
    const add = (message: string, expected: string, found: string) =>
      problems.push({ line: null, column: null, message, expected, found });
    if (this.#outside > 0 && this.#ofDay === 0) {
      const message = `No line of the statement is from ${day} in the time zone ${zone}.`;
      add(message, `lines of ${day}`, "lines of other days");
    }
    if (control.lines !== null && control.lines !== this.#lines) {
      const message = "The file does not have the given number of lines. It may be cut off.";
      add(message, `${control.lines} lines`, `${this.#lines} lines`);
    }
    const { total } = this;
    if (control.total && !isEqualAmount(control.total, total)) {
      const { currency } = account;
      const others = this.#otherCurrencies;
      const left = others === 0 ? "" : ` Amounts in other currencies are not added: ${others}.`;
      const message = `The amounts in ${currency} do not have the given sum. The file may be cut off.${left}`;
      add(message, amountText(control.total, currency), amountText(total, currency));
    }
    return problems;
  }

  /** The sum of the amounts in the currency of the account, without signs. */
  get total(): ExactAmount {
    const minorDigits = Math.max(this.#upload.account.minorDigits, ...this.#sums.keys());
    const minor = [...this.#sums].reduce(
      (sum, [digits, each]) => sum + each * 10n ** BigInt(minorDigits - digits),
      0n,
    );
    return { minor, minorDigits };
  }
}

/** Number of lines that are stored together. */
const STORED_TOGETHER = 5_000;

/** Stores lines in groups. The next group is read while the database stores the previous one. */
class LineWriter {
  readonly #store: (lines: readonly StatementLine[]) => Promise<void>;
  #waiting: StatementLine[] = [];
  #storing: Promise<Error | null> = Promise.resolve(null);

  constructor(store: (lines: readonly StatementLine[]) => Promise<void>) {
    this.#store = store;
  }

  async add(lines: readonly StatementLine[]): Promise<void> {
    this.#waiting.push(...lines);
    if (this.#waiting.length >= STORED_TOGETHER) await this.#send();
  }

  /** Waits until all lines are stored. */
  async end(): Promise<void> {
    if (this.#waiting.length > 0) await this.#send();
    await this.#stored();
  }

  async #send(): Promise<void> {
    await this.#stored();
    const lines = this.#waiting;
    this.#waiting = [];
    this.#storing = this.#store(lines).then(
      () => null,
      (error: Error) => error,
    );
  }

  async #stored(): Promise<void> {
    const error = await this.#storing;
    if (error) throw error;
  }
}
