import type { API } from "#api/api.ts";
import type { QueryFor } from "#api/app/operation.ts";

type Query = NonNullable<QueryFor<(typeof API)["GET /api/deposits"]>>;
type FilterName = Exclude<keyof Query, "limit">;
/** The filters of the list, as text from the page address. */
export type DepositSearch = { readonly [Name in FilterName]?: string };

/** The filters that are typed into a text field. */
export type FieldName = "code" | "user_id" | "reference" | "gateway_number" | "currency";

/** The text fields of the filter form, in order. */
export const FIELDS: readonly FieldName[] = [
  "code",
  "user_id",
  "reference",
  "gateway_number",
  "currency",
];

const NAMES: readonly FilterName[] = [...FIELDS, "state", "created_from", "created_to", "cursor"];

/** Keeps the known filters of a page address and ignores its other parameters. */
export function depositSearch(given: Record<string, unknown>): DepositSearch {
  const kept = NAMES.flatMap((name) => {
    const value = given[name];
    return typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [];
  });
  return Object.fromEntries(kept) as DepositSearch;
}
