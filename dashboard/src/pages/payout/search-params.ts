import type { QueryFor } from "#api/app/operation.ts";
import type { API } from "#api/api.ts";
import { textParams } from "../../base/list/text-params.ts";

type Query = NonNullable<QueryFor<(typeof API)["GET /api/payouts"]>>;

/** The name of a filter, as in the API. */
export type FilterName = Exclude<keyof Query, "limit">;
/** The filters of the list, as text from the page address. */
export type PayoutSearch = { readonly [Name in FilterName]?: string };

/** The filters that are typed into a text field. */
export type FieldName = Exclude<FilterName, "state" | "sort" | "cursor">;

/** A text field of a filter. */
export interface Field {
  readonly name: FieldName;
  readonly type?: "datetime-local";
}

/** A filter chip with fields. */
export type FieldGroup = "currency" | "amount" | "batch" | "sent" | "more";

/** The fields of the list by the chip that holds them. The search field sets others. */
export const FIELD_GROUPS: Readonly<Record<FieldGroup, readonly Field[]>> = {
  currency: [{ name: "currency" }],
  amount: [{ name: "amount_from" }, { name: "amount_to" }],
  batch: [{ name: "batch" }, { name: "line" }],
  sent: [
    { name: "sent_from", type: "datetime-local" },
    { name: "sent_to", type: "datetime-local" },
  ],
  more: [
    { name: "account" },
    { name: "account_last4" },
    { name: "reference" },
    { name: "gateway_number" },
    { name: "bank" },
    { name: "reason" },
    { name: "lane" },
    { name: "created_from", type: "datetime-local" },
    { name: "created_to", type: "datetime-local" },
    { name: "changed_from", type: "datetime-local" },
    { name: "changed_to", type: "datetime-local" },
  ],
};

/** The fields that the search field of the list sets. */
export const TEXT_FIELDS = ["name", "code", "amount"] as const;

const NAMES: readonly FilterName[] = [
  ...TEXT_FIELDS,
  ...Object.values(FIELD_GROUPS).flatMap((fields) => fields.map(({ name }) => name)),
  "state",
  "sort",
  "cursor",
];

/** Keeps the known filters of a page address and ignores its other parameters. */
export const payoutSearch = (given: Record<string, unknown>): PayoutSearch =>
  textParams(given, NAMES);

/** Converts a time of the reader's time zone, as forms have it, to UTC. */
export const toUtc = (local: string): string => new Date(local).toISOString();

/** Converts a UTC time to the reader's time zone, as forms expect it; empty if there is none. */
export function toLocal(utc: string | undefined): string {
  const at = new Date(utc ?? "");
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
