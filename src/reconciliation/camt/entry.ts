import { visible } from "#base/invisible-characters.ts";
import type { CsvRecord } from "#intake/text/records.ts";
import { batchProblem } from "#reconciliation/camt/batch.ts";
import { type Charge, movementsOf, type TransactionAmounts } from "#reconciliation/camt/amounts.ts";
import {
  type Decimal,
  decimalOf,
  decimalText,
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
import { type CamtProblem, CamtRefused } from "#reconciliation/camt/problem.ts";

/** The columns of an entry, named like the elements of camt.053. */
export const CAMT_COLUMNS = [
  "EndToEndId",
  "InstrId",
  "TxId",
  "AcctSvcrRef",
  "Amt",
  "Ccy",
  "Chrgs",
  "Sts",
  "BookgDt",
  "ValDt",
] as const;

/** One transaction of an entry. */
export interface CamtTransaction extends TransactionAmounts {
  readonly line: number;
  readonly endToEndId: string;
  readonly instructionId: string;
  readonly transactionId: string;
  readonly servicerReference: string;
}

/** ISO 20022: the payer gave no reference. */
const NOT_PROVIDED = "NOTPROVIDED";

const identifier = (text: string): string => (text === NOT_PROVIDED ? "" : text);

/** @throws CamtRefused always. */
function refuse(
  at: Element,
  column: string,
  problem: Pick<CamtProblem, "message" | "expected" | "found">,
): never {
  const { found } = problem;
  throw new CamtRefused({
    ...problem,
    line: at.line,
    column,
    found: found === null ? null : visible(found),
  });
}

/** Reads an amount and its currency. */
function amountIn(element: Element, column: string): { amount: Decimal; currency: string } {
  const amount = decimalOf(element.text);
  const currency = element.attributes["Ccy"] ?? "";
  if (!amount) {
    const message = "The amount cannot be read.";
    refuse(element, column, {
      message,
      expected: "an amount such as 1000.50",
      found: element.text,
    });
  }
  if (!/^[A-Z0-9-]{1,40}$/.test(currency)) {
    const message = "The amount has no currency that can be read.";
    refuse(element, column, { message, expected: "a currency such as INR", found: currency });
  }
  return { amount, currency };
}

/** Returns whether the element is a debit. Undefined: it does not say. */
function debitOf(element: Element): boolean | undefined {
  const text = textAt(element, "CdtDbtInd");
  if (text === "DBIT") return true;
  if (text === "CRDT") return false;
  if (text === "") return undefined;
  const message = "The direction cannot be read.";
  return refuse(element, "CdtDbtInd", { message, expected: "CRDT or DBIT", found: text });
}

/** Reads a truth value. Null: there is none. */
function flagIn(element: Element, name: string): boolean | null {
  const text = textAt(element, name);
  if (text === "") return null;
  const truth = truthOf(text);
  if (truth !== null) return truth;
  const message = "The value cannot be read.";
  return refuse(element, name, { message, expected: "true or false", found: text });
}

/** Reads the charges of an entry or transaction in the currency of the entry. */
function chargesIn(element: Element, currency: string): readonly Charge[] {
  return childrenOf(element, "Chrgs").flatMap((charges) => {
    const records = childrenOf(charges, "Rcrd");
    // Version 02 has one element for each charge.
    const own = records.length > 0 ? records : [charges];
    return own.map((record) => {
      const written = elementAt(record, "Amt") ?? elementAt(record, "TtlChrgsAndTaxAmt");
      if (!written) {
        const message = "The charge has no amount.";
        return refuse(record, "Chrgs", { message, expected: "Amt", found: null });
      }
      const { amount, currency: own } = amountIn(written, "Chrgs/Amt");
      if (own !== currency) {
        const message = "The charge has another currency than the entry.";
        return refuse(written, "Chrgs/Amt", { message, expected: currency, found: own });
      }
      const isRefund = debitOf(record) === false;
      return {
        amount: isRefund ? negative(amount) : amount,
        isIncluded: flagIn(record, "ChrgInclInd"),
      };
    });
  });
}

/** Reads the amount that a transaction states in the currency of the entry. */
function statedAmount(details: Element, currency: string): Decimal | null {
  for (const path of ["Amt", "AmtDtls/TxAmt/Amt"]) {
    const written = elementAt(details, path);
    if (!written) continue;
    const read = amountIn(written, `TxDtls/${path}`);
    if (read.currency === currency) return read.amount;
  }
  return null;
}

/** The facts that an entry states about all its transactions. */
export interface EntryHead {
  readonly amount: Decimal;
  readonly currency: string;
  readonly isDebit: boolean;
}

/**
 * Reads the amount and direction of an entry. They come before its transactions in every version.
 *
 * @throws CamtRefused if they are missing or cannot be read.
 */
export function entryHead(entry: Element): EntryHead {
  const written = elementAt(entry, "Amt");
  if (!written) {
    const message = "The entry has no amount.";
    return refuse(entry, "Ntry/Amt", { message, expected: "Amt", found: null });
  }
  const isDebit = debitOf(entry);
  if (isDebit === undefined) {
    const message = "The entry has no direction.";
    return refuse(entry, "Ntry/CdtDbtInd", { message, expected: "CRDT or DBIT", found: null });
  }
  return { ...amountIn(written, "Ntry/Amt"), isDebit };
}

/** Reads a transaction, without its text for people. */
export function transactionOf(details: Element): CamtTransactionText {
  const reference = (name: string) => identifier(textAt(details, `Refs/${name}`));
  return {
    line: details.line,
    endToEndId: reference("EndToEndId"),
    instructionId: reference("InstrId"),
    transactionId: reference("TxId"),
    servicerReference: reference("AcctSvcrRef"),
    amounts: {
      name: details.name,
      attributes: {},
      line: details.line,
      text: "",
      children: details.children.filter(({ name }) => AMOUNT_PARTS.has(name)),
    },
  };
}

const AMOUNT_PARTS: ReadonlySet<string> = new Set(["Amt", "AmtDtls", "CdtDbtInd", "Chrgs"]);

/** A transaction whose amounts are still elements, because its entry is not complete. */
export type CamtTransactionText = Omit<CamtTransaction, keyof TransactionAmounts> & {
  readonly amounts: Element;
};

/** A complete entry. */
export interface CompleteEntry {
  /** Without its transactions. */
  readonly element: Element;
  readonly transactions: readonly CamtTransactionText[];
  /** Identifier of the statement; "" if it has none. */
  readonly statement: string;
  /** Number of the entry in the statement, counted from 1. */
  readonly number: number;
}

/**
 * Returns one row for each transaction of an entry. Debits have a minus sign. A credit that is not
 * booked has not moved money, and has no row.
 *
 * @throws CamtRefused if the entry cannot be read.
 */
export function rowsOf(entry: CompleteEntry, head: EntryHead): readonly CsvRecord[] {
  const { element } = entry;
  const status = textAt(element, "Sts/Cd", "Sts/Prtry", "Sts");
  flagIn(element, "RvslInd");
  const transactions = transactionsOf(entry, head);
  const amounts = transactions.flatMap(({ amount }) => (amount ? [amount] : []));
  const miscounted = batchProblem(element, {
    ...head,
    transactions: entry.transactions.length,
    total: amounts.length === transactions.length ? sumOf(amounts) : null,
  });
  if (miscounted) throw new CamtRefused(miscounted);
  const movements = movementsOf(head, transactions);
  if (!movements) {
    const message = "The transactions and charges of the entry do not add up to its amount.";
    const expected = `${decimalText(head.amount)} ${head.currency}`;
    const stated = transactions.map(({ amount }) => (amount ? decimalText(amount) : "no amount"));
    const found = stated.slice(0, 10).join(" + ");
    return refuse(element, "Ntry/NtryDtls", { message, expected, found });
  }
  return transactions.flatMap((transaction, at) => {
    const movement = movements[at];
    if (!movement) throw new Error(`transaction ${at} has no movement`);
    const { amount, isDebit, fee } = movement;
    if (!isDebit && status === "PDNG") return [];
    const ofServicer = servicerReferenceOf(transaction, entry);
    const cells = [
      transaction.endToEndId,
      transaction.instructionId,
      transaction.transactionId || fallbackId(transaction, entry, at + 1),
      ofServicer,
      `${isDebit ? "-" : ""}${decimalText(amount)}`,
      head.currency,
      fee ? decimalText(fee) : "",
      status,
      textAt(element, "BookgDt/DtTm", "BookgDt/Dt"),
      textAt(element, "ValDt/DtTm", "ValDt/Dt"),
    ];
    return [{ cells, line: transaction.line }];
  });
}

/** Returns the bank's reference. That of an entry does not identify one of several transactions. */
const servicerReferenceOf = (
  { servicerReference }: CamtTransaction,
  { element, transactions }: CompleteEntry,
): string => servicerReference || (transactions.length > 1 ? "" : textAt(element, "AcctSvcrRef"));

/**
 * Returns a number for a transaction without any other identifier. The bank's reference may be the
 * same for all transactions of an entry, and no two transactions of any statement may get one
 * number, because they would look like one that is listed twice.
 *
 * @throws CamtRefused if the transaction and the statement have no identifier.
 */
function fallbackId(transaction: CamtTransaction, entry: CompleteEntry, place: number): string {
  if (transaction.endToEndId !== "" || transaction.instructionId !== "") return "";
  const { element, transactions, statement, number } = entry;
  const reference = transactions.length > 1 ? "" : servicerReferenceOf(transaction, entry);
  if (reference === "" && statement === "") {
    const message = "The transaction has no reference, and the statement has no Id.";
    return refuse(element, "Stmt/Id", { message, expected: "an Id in Stmt", found: null });
  }
  const day = textAt(element, "BookgDt/DtTm", "BookgDt/Dt").slice(0, 10);
  const id = reference || [statement, day, number, place].filter((part) => part !== "").join("-");
  return id.replaceAll(/[^!-~]/g, "_");
}

function transactionsOf(
  { element, transactions }: CompleteEntry,
  { currency, isDebit }: EntryHead,
): readonly CamtTransaction[] {
  const ofEntry = chargesIn(element, currency);
  if (transactions.length === 0) {
    const none = { endToEndId: "", instructionId: "", transactionId: "", servicerReference: "" };
    return [{ ...none, line: element.line, amount: null, isDebit, charges: ofEntry }];
  }
  const read = transactions.map(({ amounts, ...rest }) => ({
    ...rest,
    amount: statedAmount(amounts, currency),
    isDebit: debitOf(amounts) ?? isDebit,
    charges: chargesIn(amounts, currency),
  }));
  const isInTransactions = read.some(({ charges }) => charges.length > 0);
  const [only] = read;
  if (isInTransactions || ofEntry.length === 0) return read;
  if (read.length === 1 && only) return [{ ...only, charges: ofEntry }];
  if (ofEntry.every(({ isIncluded }) => isIncluded === false)) return read;
  const message = "The charges belong to several transactions.";
  const expected = "the charges in each TxDtls";
  return refuse(element, "Ntry/Chrgs", { message, expected, found: `${read.length} transactions` });
}
