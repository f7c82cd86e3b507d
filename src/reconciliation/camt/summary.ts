import { visible } from "#base/invisible-characters.ts";
import {
  type Decimal,
  decimalOf,
  decimalText,
  isSame,
  minus,
  negative,
  sumOf,
} from "#reconciliation/camt/decimal.ts";
import {
  type Element,
  elementAt,
  childrenOf,
  textAt,
  truthOf,
} from "#reconciliation/camt/element.ts";
import type { EntryHead } from "#reconciliation/camt/entry.ts";
import type { CamtProblem } from "#reconciliation/camt/problem.ts";

/** A balance of the statement. */
export interface CamtBalance {
  /** Negative for a debit balance. */
  readonly amount: Decimal;
  readonly currency: string;
  /** Date as written, also of a time. Null: the file states neither. */
  readonly date: string | null;
  /** The file states a time, whose date may be that of another time zone. */
  readonly isTime: boolean;
  readonly line: number;
}

/** The first and the last date of the statement's period, as written. */
export interface CamtPeriod {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** The facts that a statement states about its account. */
export interface CamtFacts {
  /** Null: the file does not state it. */
  readonly currency: { readonly text: string; readonly line: number } | null;
  readonly opening: CamtBalance | null;
  readonly closing: CamtBalance | null;
  /** Null: the file does not state it. */
  readonly period: CamtPeriod | null;
}

/** Counts and adds up the entries of one direction. */
class EntrySum {
  count = 0;
  #amounts: Decimal = { minor: 0n, digits: 0 };

  add(amount: Decimal): void {
    this.count += 1;
    this.#amounts = sumOf([this.#amounts, amount]);
  }

  get total(): Decimal {
    return this.#amounts;
  }
}

/** The parts of a statement other than its entries. */
export class StatementSummary {
  readonly #parts: Element[] = [];
  readonly #debits = new EntrySum();
  readonly #credits = new EntrySum();

  /** Keeps a part: the header, a balance, the account, the page or the totals. */
  addPart(part: Element): void {
    this.#parts.push(part);
  }

  addEntry({ amount, isDebit }: EntryHead): void {
    (isDebit ? this.#debits : this.#credits).add(amount);
  }

  /** Returns why the file is not one whole statement. */
  problems(): readonly CamtProblem[] {
    return [...this.#pageProblems(), ...this.#totalProblems(), ...this.#balanceProblems()];
  }

  /** Returns the facts of a statement without problems. */
  facts(): CamtFacts {
    const currency = this.#named("Acct").flatMap((account) => childrenOf(account, "Ccy"))[0];
    return {
      currency: currency ? { text: currency.text, line: currency.line } : null,
      // The previous closing balance is the opening balance.
      opening: balanceOf(this.#balance("OPBD") ?? this.#balance("PRCD")),
      closing: balanceOf(this.#balance("CLBD")),
      period: periodOf(this.#named("FrToDt")[0]),
    };
  }

  #named(name: string): readonly Element[] {
    return this.#parts.filter((part) => part.name === name);
  }

  #balances(type: string): readonly Element[] {
    return this.#named("Bal").filter((part) => textAt(part, "Tp/CdOrPrtry/Cd") === type);
  }

  #balance(type: string): Element | undefined {
    return this.#balances(type)[0];
  }

  #pageProblems(): readonly CamtProblem[] {
    const ofMessage = this.#named("GrpHdr").flatMap((header) => childrenOf(header, "MsgPgntn"));
    return [...ofMessage, ...this.#named("StmtPgntn")].flatMap((page) => {
      const number = textAt(page, "PgNb");
      const last = textAt(page, "LastPgInd");
      const isLast = last === "" || truthOf(last) === true;
      if (isLast && (number === "" || /^0*1$/.test(number))) return [];
      const message = "The file is one page of a statement.";
      const expected = "the whole statement in one file";
      const found = isLast
        ? `page ${visible(number)}`
        : `page ${visible(number)}, LastPgInd ${visible(last)}`;
      return [{ line: page.line, column: page.name, message, expected, found }];
    });
  }

  #totalProblems(): readonly CamtProblem[] {
    const all = { count: this.#debits.count + this.#credits.count, total: this.#total() };
    const net = minus(this.#credits.total, this.#debits.total);
    return this.#named("TxsSummry").flatMap((summary) => [
      ...netProblems(summary, net),
      ...totalProblems(summary, "TtlNtries", all),
      ...totalProblems(summary, "TtlDbtNtries", this.#debits),
      ...totalProblems(summary, "TtlCdtNtries", this.#credits),
    ]);
  }

  #total(): Decimal {
    return sumOf([this.#debits.total, this.#credits.total]);
  }

  #balanceProblems(): readonly CamtProblem[] {
    return ["OPBD", "PRCD", "CLBD"].flatMap((type) => {
      const [first, second] = this.#balances(type);
      if (!first) return [];
      const column = `Bal/${type}`;
      const { line } = second ?? first;
      if (second) {
        const message = "The statement has two balances of one kind.";
        return [{ line, column, message, expected: `one ${type}`, found: "two" }];
      }
      if (balanceOf(first)) return [];
      const message = "The balance cannot be read.";
      const expected = "Amt with Ccy, and CdtDbtInd";
      return [{ line, column, message, expected, found: visible(textAt(first, "Amt")) }];
    });
  }
}

const MISCOUNTED = "The entries are not those that the statement counts. The file may be cut off.";

/** Compares the net sum of all entries. Version 02 states it next to its direction. */
function netProblems(summary: Element, net: Decimal): readonly CamtProblem[] {
  const path = ["TtlNtries/TtlNetNtryAmt", "TtlNtries/TtlNetNtry/Amt"].find(
    (each) => textAt(summary, each) !== "",
  );
  if (path === undefined) return [];
  const directionAt = `${path.slice(0, path.lastIndexOf("/"))}/CdtDbtInd`;
  const written = textAt(summary, path);
  const direction = textAt(summary, directionAt);
  const amount = decimalOf(written);
  const isDebit = direction === "" ? net.minor < 0n : direction === "DBIT";
  if (amount && isSame(isDebit ? negative(amount) : amount, net)) return [];
  const expected = visible(`${direction} ${written}`.trim());
  const found = `${net.minor < 0n ? "DBIT" : "CRDT"} ${decimalText(net).replace("-", "")}`;
  const { line } = elementAt(summary, path) ?? summary;
  return [{ line, column: `TxsSummry/${path}`, message: MISCOUNTED, expected, found }];
}

function totalProblems(
  summary: Element,
  name: string,
  counted: Pick<EntrySum, "count" | "total">,
): readonly CamtProblem[] {
  const stated = elementAt(summary, name);
  if (!stated) return [];
  const problem = (path: string, expected: string, found: string): CamtProblem => ({
    line: stated.line,
    column: `TxsSummry/${name}/${path}`,
    message: MISCOUNTED,
    expected,
    found,
  });
  const count = textAt(stated, "NbOfNtries");
  const sum = textAt(stated, "Sum");
  const total = decimalOf(sum);
  const isCounted = count === "" || (/^\d{1,15}$/.test(count) && Number(count) === counted.count);
  const isAddedUp = sum === "" || (total !== null && isSame(total, counted.total));
  return [
    ...(isCounted ? [] : [problem("NbOfNtries", visible(count), String(counted.count))]),
    ...(isAddedUp ? [] : [problem("Sum", visible(sum), decimalText(counted.total))]),
  ];
}

/** Reads a balance. Null: it is missing or cannot be read. */
function balanceOf(part: Element | undefined): CamtBalance | null {
  const written = part && elementAt(part, "Amt");
  const amount = written ? decimalOf(written.text) : null;
  const currency = written?.attributes["Ccy"];
  const direction = part ? textAt(part, "CdtDbtInd") : "";
  if (!part || !amount || currency === undefined || !/^(?:CRDT|DBIT)$/.test(direction)) return null;
  const date = textAt(part, "Dt/Dt", "Dt/DtTm").slice(0, 10);
  return {
    amount: direction === "DBIT" ? negative(amount) : amount,
    currency,
    date: date === "" ? null : date,
    isTime: textAt(part, "Dt/Dt") === "",
    line: part.line,
  };
}

/** Reads the period of the statement. Null: the file does not state both ends. */
function periodOf(part: Element | undefined): CamtPeriod | null {
  if (!part) return null;
  const from = textAt(part, "FrDtTm", "FrDt").slice(0, 10);
  const to = textAt(part, "ToDtTm", "ToDt").slice(0, 10);
  return from === "" || to === "" ? null : { from, to, line: part.line };
}
