import type { API } from "#api/api.ts";
import type { QueryFor } from "#api/operation.ts";

type Query = NonNullable<QueryFor<(typeof API)["GET /api/deposits"]>>;
type FilterName = Exclude<keyof Query, "limit">;
/** The filters of the list, as they stand in the address. */
export type DepositSearch = { readonly [Name in FilterName]?: string };

// biome-ignore format: the columns are the point
export const FIELDS: readonly { readonly name: FilterName; readonly label: string; readonly hint?: string }[] = [
  { name: "code",           label: "Code", hint: "or how it begins" },
  { name: "user_id",        label: "User", hint: "in full" },
  { name: "reference",      label: "Reference", hint: "in full" },
  { name: "gateway_number", label: "Gateway number", hint: "DP…" },
  { name: "currency",       label: "Currency", hint: "INR" },
];

const NAMES: readonly FilterName[] = [
  ...FIELDS.map(({ name }) => name),
  "state",
  "created_from",
  "created_to",
  "cursor",
];

/** Keeps what is a filter; anything else in an address is nothing. */
export function depositSearch(given: Record<string, unknown>): DepositSearch {
  const kept = NAMES.flatMap((name) => {
    const value = given[name];
    return typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [];
  });
  return Object.fromEntries(kept) as DepositSearch;
}
