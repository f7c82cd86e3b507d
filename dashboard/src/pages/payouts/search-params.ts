import type { QueryFor } from "#api/operation.ts";
import type { API } from "#api/api.ts";

type Query = NonNullable<QueryFor<(typeof API)["GET /api/payouts"]>>;
export type FilterName = Exclude<keyof Query, "limit">;
/** The filters of the list, as they stand in the address: texts, as somebody typed them. */
export type PayoutSearch = { readonly [Name in FilterName]?: string };

interface Field {
  readonly name: FilterName;
  readonly label: string;
  readonly hint?: string;
  readonly type?: "datetime-local";
}

/** What people look for most. */
export const MAIN_FIELDS: readonly Field[] = [
  { name: "name", label: "Beneficiary", hint: "whole words" },
  { name: "amount", label: "Amount", hint: "1200 or 99.50" },
  { name: "currency", label: "Currency", hint: "INR" },
  { name: "code", label: "Code", hint: "or how it begins" },
];

// biome-ignore format: the columns are the point
export const MORE_FIELDS: readonly Field[] = [
  { name: "account",        label: "Account number", hint: "in full" },
  { name: "account_last4",  label: "Account ends in", hint: "four characters" },
  { name: "reference",      label: "Reference" },
  { name: "gateway_number", label: "Gateway number" },
  { name: "bank",           label: "Bank", hint: "its code" },
  { name: "reason",         label: "Cause", hint: "its code, as refused" },
  { name: "batch",          label: "Batch" },
  { name: "line",           label: "Line of the file", hint: "with its batch" },
  { name: "lane",           label: "Lane", hint: "MERCHANT/INR" },
  { name: "amount_from",    label: "Amount from" },
  { name: "amount_to",      label: "Amount to" },
  { name: "created_from",   label: "Brought from", type: "datetime-local" },
  { name: "created_to",     label: "Brought before", type: "datetime-local" },
  { name: "sent_from",      label: "Sent from", type: "datetime-local" },
  { name: "sent_to",        label: "Sent before", type: "datetime-local" },
  { name: "changed_from",   label: "Changed from", type: "datetime-local" },
  { name: "changed_to",     label: "Changed before", type: "datetime-local" },
];

const NAMES: readonly FilterName[] = [
  ...[...MAIN_FIELDS, ...MORE_FIELDS].map(({ name }) => name),
  "state",
  "sort",
  "cursor",
];

/** Keeps what is a filter; anything else in an address is nothing. */
export function payoutSearch(given: Record<string, unknown>): PayoutSearch {
  const kept = NAMES.flatMap((name) => {
    const value = given[name];
    const isText = typeof value === "string" || typeof value === "number";
    return isText && value !== "" ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(kept) as PayoutSearch;
}

/** A form's times are those of the reader's clock; the API's are UTC. */
export const toUtc = (local: string): string => new Date(local).toISOString();
export function toLocal(utc: string | undefined): string {
  const at = new Date(utc ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
