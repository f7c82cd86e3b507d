import type { QueryFor } from "#api/app/operation.ts";
import type { API } from "#api/api.ts";
import { textParams } from "../../base/list/text-params.ts";

type Query = NonNullable<QueryFor<(typeof API)["GET /api/payouts"]>>;

/** The name of a filter, as in the API. */
export type FilterName = Exclude<keyof Query, "limit" | "drafts" | "blocked">;
/** The filters of the list, as text from the page address. */
export type PayoutSearch = {
  readonly [Name in Exclude<FilterName, "retry_result">]?: string;
} & Pick<Query, "retry_result">;

/** The filters that are typed into a text field. */
export type FieldName = Exclude<
  FilterName,
  "text" | "state" | "compared" | "retry_result" | "sort" | "cursor"
>;

/** A text field of a filter. */
export interface Field {
  readonly name: FieldName;
  readonly type?: "datetime-local";
}

/** A filter chip with fields. */
export type FieldGroup = keyof typeof FIELD_GROUPS | keyof typeof MORE_GROUPS;

type Groups = Readonly<Record<string, readonly Field[]>>;

const period = <From extends FieldName, To extends FieldName>(from: From, to: To) =>
  [
    { name: from, type: "datetime-local" },
    { name: to, type: "datetime-local" },
  ] as const;

/** The chips that are always shown, with their fields. */
export const FIELD_GROUPS = {
  currency: [{ name: "currency" }],
  amount: [{ name: "amount" }, { name: "amount_from" }, { name: "amount_to" }],
  batch: [{ name: "batch" }],
  sent: period("sent_from", "sent_to"),
  settled: period("settled_from", "settled_to"),
} as const satisfies Groups;

/** The fields of "More filters". Each has a chip of its own while it is set. */
export const MORE_GROUPS = {
  name: [{ name: "name" }],
  line: [{ name: "line" }],
  code: [{ name: "code" }],
  account: [{ name: "account" }],
  account_last4: [{ name: "account_last4" }],
  user_id: [{ name: "user_id" }],
  reference: [{ name: "reference" }],
  gateway_number: [{ name: "gateway_number" }],
  bank: [{ name: "bank" }],
  reason: [{ name: "reason" }],
  lane: [{ name: "lane" }],
  created: period("created_from", "created_to"),
  changed: period("changed_from", "changed_to"),
} as const satisfies Groups;

const NAMES: readonly FilterName[] = [
  "text",
  ...[...Object.values(FIELD_GROUPS), ...Object.values(MORE_GROUPS)].flatMap((fields) =>
    fields.map(({ name }) => name),
  ),
  "state",
  "compared",
  "retry_result",
  "sort",
  "cursor",
];

/** Keeps the known filters of a page address and ignores its other parameters. */
export function payoutSearch(given: Record<string, unknown>): PayoutSearch {
  const { retry_result: result, ...same } = textParams(given, NAMES);
  return { ...same, ...((result === "none" || result === "paid") && { retry_result: result }) };
}

/** Filters with which a reader looks for certain payouts, which may be drafts. */
const LOOKUPS = [
  "text",
  "batch",
  "code",
  "name",
  "account",
  "account_last4",
  "user_id",
  "reference",
  "state",
] as const satisfies readonly FilterName[];

/** Whether the list leaves out the payouts of batches that were not sent for approval. */
export const isWithoutDrafts = (search: PayoutSearch): boolean =>
  LOOKUPS.every((name) => search[name] === undefined);

/** The API finds blocked payouts among those awaiting approval; the dashboard shows them apart. */
export const withoutBlocked = (state: string | undefined): { readonly blocked?: "none" } =>
  state?.split(",").includes("awaiting_approval") ? { blocked: "none" } : {};

/** Returns the filters of the list of all payouts for the API, without its order. */
export function filtersOf(search: PayoutSearch) {
  const { sort: _sort, cursor: _cursor, compared, ...filters } = search;
  return {
    ...filters,
    ...(compared && { compared: "changed" as const }),
    ...withoutBlocked(search.state),
    ...(isWithoutDrafts(search) && { drafts: "none" as const }),
  };
}

/** Returns the filters of the list of all payouts for the API, with its order. */
export const payoutsQuery = (search: PayoutSearch) => ({
  ...filtersOf(search),
  ...(search.sort && { sort: search.sort as "newest" }),
});

/** The number of filters. The sort order hides no payout. */
export const filterCount = (search: PayoutSearch): number =>
  Object.keys(search).filter((name) => name !== "sort" && name !== "cursor").length;
