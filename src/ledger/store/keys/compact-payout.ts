import { DETAIL_FIELDS, type PayoutDetails } from "#payout/payout.ts";

/**
 * Sealed data of a good row: the details that are sent, and the row as it was in the file. Amount
 * and code are stored unsealed next to it.
 */
export interface SealedPayout {
  readonly details: PayoutDetails;
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
  readonly reference: string | null;
  readonly cells: readonly string[];
  /** True if the person was erased: all other properties are empty. */
  readonly isErased?: true;
}

/**
 * The text of a payout before it is sealed. Cells are written once: a field that equals a cell is
 * the number of that cell. Lengths and numbers are characters, which UTF-8 writes as one byte below
 * 128.
 *
 *     1, number of cells, cells, fields (2 characters, 6 bits each), values
 *     cell:  0 if it is the transaction code; otherwise its length + 1 and the text
 *     value: 0, length, text; or the number of a cell, counted from 1
 */

const COMPACT = "\u0001";
const HALF = 6;
/** Largest number that is one character. Above it, surrogates start. */
const NUMBER_MAX = 0xd7ff;

const char = (number: number): string => String.fromCharCode(number);

/** Returns the text to be sealed. Unusual payouts are written as JSON. */
export function encodePayout(payout: SealedPayout, transactionCode: string): string {
  const { details, payoutCode, callbackUrl, reference, cells } = payout;
  if (cells.length > NUMBER_MAX) return asJson(payout);
  let text = COMPACT + char(cells.length);
  for (const cell of cells) {
    if (cell.length >= NUMBER_MAX) return asJson(payout);
    text += cell === transactionCode ? char(0) : char(cell.length + 1) + cell;
  }
  let fields = 0;
  let values = "";
  const add = (at: number, value: string | null | undefined): void => {
    if (value === null || value === undefined) return;
    fields |= 1 << at;
    const cell = cells.indexOf(value) + 1;
    values += cell > 0 ? char(cell) : char(0) + char(Math.min(value.length, NUMBER_MAX)) + value;
  };
  for (let at = 0; at < DETAIL_FIELDS.length; at += 1) {
    const field = DETAIL_FIELDS[at];
    if (field) add(at, details[field]);
  }
  add(DETAIL_FIELDS.length, payoutCode);
  add(DETAIL_FIELDS.length + 1, callbackUrl);
  add(DETAIL_FIELDS.length + 2, reference);
  text += char(fields & 0x3f) + char(fields >> HALF) + values;
  // A half of a surrogate pair would be lost in UTF-8, but not in JSON.
  return values.length < NUMBER_MAX && text.isWellFormed() ? text : asJson(payout);
}

/** Written out, so that other properties are never sealed. */
const asJson = ({ details, payoutCode, callbackUrl, reference, cells }: SealedPayout): string =>
  JSON.stringify({ details, payoutCode, callbackUrl, reference, cells });

/** Reads a text of `encodePayout`, or JSON as payouts were written before it. */
export function decodePayout(text: string, transactionCode: string): SealedPayout {
  if (!text.startsWith(COMPACT)) return JSON.parse(text) as SealedPayout;
  let at = 1;
  const number = (): number => text.charCodeAt(at++);
  const part = (length: number): string => text.slice(at, (at += length));
  const cells: string[] = [];
  for (let left = number(); left > 0; left -= 1) {
    const length = number();
    cells.push(length === 0 ? transactionCode : part(length - 1));
  }
  const fields = number() | (number() << HALF);
  const value = (field: number): string | null => {
    if ((fields & (1 << field)) === 0) return null;
    const cell = number();
    return cell === 0 ? part(number()) : (cells[cell - 1] ?? null);
  };
  const details: Record<string, string> = {};
  DETAIL_FIELDS.forEach((field, index) => {
    const found = value(index);
    if (found !== null) details[field] = found;
  });
  const [payoutCode, callbackUrl, reference] = [0, 1, 2].map((index) =>
    value(DETAIL_FIELDS.length + index),
  );
  return {
    details,
    payoutCode: payoutCode ?? null,
    callbackUrl: callbackUrl ?? null,
    reference: reference ?? null,
    cells,
  };
}
