import { visible } from "#base/invisible-characters.ts";
import type { CsvRecord } from "#intake/text/records.ts";
import type { Element } from "#reconciliation/camt/element.ts";
import {
  type CamtTransactionText,
  entryHead,
  rowsOf,
  transactionOf,
} from "#reconciliation/camt/entry.ts";
import { type CamtProblem, CamtRefused } from "#reconciliation/camt/problem.ts";
import { type CamtFacts, StatementSummary } from "#reconciliation/camt/summary.ts";
import type { OpenedElement, XmlReceiver } from "#reconciliation/camt/xml-stream.ts";

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.0[2-8]$/;
const EXPECTED = "camt.053.001.02 to camt.053.001.08";

/** Path of the statement's parts. */
const DOCUMENT = ["Document", "BkToCstmrStmt", "Stmt"] as const;
/** The part of a message that is read. */
const HEADER = "GrpHdr";
/** The parts of a statement that are read. */
const PARTS: ReadonlySet<string> = new Set([
  "Id",
  "FrToDt",
  "Acct",
  "Bal",
  "Ntry",
  "StmtPgntn",
  "TxsSummry",
]);

/** Maximum numbers within one part of the statement. They bound the memory. */
const ELEMENTS_MAX = 5_000;
const TRANSACTIONS_MAX = 100_000;
const PARTS_MAX = 1_000;
const PROBLEMS_MAX = 100;

/** Turns the elements of a camt.053 file into rows. */
export class StatementCollector implements XmlReceiver {
  readonly #rowsMax: number;
  readonly #summary = new StatementSummary();
  readonly #problems: CamtProblem[] = [];
  /** Names of the open elements down to the statement. */
  readonly #path: string[] = [];
  /** The open elements of a part that is read. */
  readonly #open: Element[] = [];
  /** Number of open elements that are not read. */
  #skipped = 0;
  #elements = 0;
  #parts = 0;
  #entries = 0;
  #statementId = "";
  #transactions: CamtTransactionText[] = [];
  #waiting: CsvRecord[] = [];
  #statements = 0;
  #namespace = "";
  statementLine = 1;
  rows = 0;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
  }

  get hasStatement(): boolean {
    return this.#statements > 0;
  }

  open(element: OpenedElement): void {
    const { name, namespace, attributes, line } = element;
    if (this.#path.length === 0) this.#openDocument(element);
    if (this.#skipped > 0 || namespace !== this.#namespace) {
      this.#skipped += 1;
    } else if (this.#open.length > 0 || this.#isPart(name)) {
      this.#elements += 1;
      if (this.#elements > ELEMENTS_MAX) {
        const message = "A part of the statement has too many elements.";
        refuse(line, { message, expected: `at most ${ELEMENTS_MAX}`, found: name });
      }
      const opened: Element = { name, attributes, line, text: "", children: [] };
      this.#open.at(-1)?.children.push(opened);
      this.#open.push(opened);
    } else if (DOCUMENT[this.#path.length] === name) {
      this.#path.push(name);
      if (this.#path.length === DOCUMENT.length) this.#openStatement(line);
    } else this.#skipped += 1;
  }

  close(text: string): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const closed = this.#open.pop();
    if (!closed) {
      this.#path.pop();
      return;
    }
    closed.text = text;
    const isTransaction = closed.name === "TxDtls" && this.#open.at(-1)?.name === "NtryDtls";
    if (isTransaction && this.#open.length === 2) this.#closeTransaction(closed);
    if (this.#open.length > 0) return;
    this.#elements = 0;
    if (closed.name === "Ntry") this.#closeEntry(closed);
    else if (closed.name === "Id") this.#statementId = closed.text;
    else this.#closePart(closed);
  }

  /** Returns the rows that are complete, and forgets them. */
  takeRows(): readonly CsvRecord[] {
    const rows = this.#waiting;
    this.#waiting = [];
    return rows;
  }

  /** Returns why the statement must not be used. Call it at the end of the file. */
  problems(): readonly CamtProblem[] {
    if (this.#statements === 0) {
      const message = "The file contains no statement.";
      const expected = DOCUMENT.join("/");
      return [{ line: null, column: null, message, expected, found: "no Stmt" }];
    }
    return this.#problems.length > 0 ? this.#problems : this.#summary.problems();
  }

  facts(): CamtFacts {
    return this.#summary.facts();
  }

  #isPart(name: string): boolean {
    if (this.#path.length === DOCUMENT.length) return PARTS.has(name);
    return this.#path.length === DOCUMENT.length - 1 && name === HEADER;
  }

  #openDocument({ name, namespace, line }: OpenedElement): void {
    if (name === DOCUMENT[0] && NAMESPACE.test(namespace)) {
      this.#namespace = namespace;
      return;
    }
    const message = "The XML file is not a bank statement that payrun reads.";
    const found = `${visible(name)} in the namespace ${visible(namespace) || "(none)"}`;
    refuse(line, { message, expected: EXPECTED, found });
  }

  #openStatement(line: number): void {
    this.#statements += 1;
    if (this.#statements === 1) this.statementLine = line;
    else {
      const message = "The file contains several statements.";
      refuse(line, { message, expected: "one Stmt in a file", found: "a second Stmt" });
    }
  }

  /** Keeps a transaction without the elements that are not needed. */
  #closeTransaction(closed: Element): void {
    this.#transactions.push(transactionOf(closed));
    this.#open.at(-1)?.children.pop();
    this.#elements = 0;
    if (this.#transactions.length <= TRANSACTIONS_MAX) return;
    const message = "An entry has too many transactions.";
    const found = `more than ${TRANSACTIONS_MAX}`;
    refuse(closed.line, { message, expected: `at most ${TRANSACTIONS_MAX}`, found });
  }

  #closeEntry(element: Element): void {
    const transactions = this.#transactions;
    this.#transactions = [];
    this.#entries += 1;
    try {
      const head = entryHead(element);
      this.#summary.addEntry(head);
      const entry = { element, transactions, statement: this.#statementId, number: this.#entries };
      const rows = rowsOf(entry, head);
      this.rows += rows.length;
      this.#waiting.push(...rows);
    } catch (error) {
      if (!(error instanceof CamtRefused)) throw error;
      if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(error.problem);
    }
    if (this.rows <= this.#rowsMax) return;
    const message = "The statement has too many transactions.";
    const found = `more than ${this.#rowsMax}`;
    refuse(element.line, { message, expected: `at most ${this.#rowsMax}`, found });
  }

  #closePart(part: Element): void {
    this.#parts += 1;
    if (this.#parts > PARTS_MAX) {
      const message = "The statement has too many balances.";
      refuse(part.line, { message, expected: `at most ${PARTS_MAX}`, found: part.name });
    }
    this.#summary.addPart(part);
  }
}

function refuse(
  line: number,
  { message, expected, found }: Pick<CamtProblem, "message" | "expected" | "found">,
): never {
  throw new CamtRefused({ line, column: null, message, expected, found });
}
