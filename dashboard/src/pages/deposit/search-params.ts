import type { API } from "#api/api.ts";
import type { QueryFor } from "#api/app/operation.ts";
import { startOfDay } from "../../base/local-time.ts";
import { textParams } from "../../base/list/text-params.ts";

type Query = NonNullable<QueryFor<(typeof API)["GET /api/deposits"]>>;

const NAMES = [
  "code",
  "user_id",
  "reference",
  "gateway_number",
  "currency",
  "state",
  "from",
  "to",
  "sort",
] as const;

/** The filters of the list, as text from the page address. `from` and `to` are days. */
export type DepositSearch = { readonly [Name in (typeof NAMES)[number]]?: string };

/** Keeps the known filters of a page address and ignores its other parameters. */
export const depositSearch = (given: Record<string, unknown>): DepositSearch =>
  textParams(given, NAMES);

/** The query of the API. The range includes both days. */
export const depositsQuery = ({ from, to, sort, ...same }: DepositSearch): Query => ({
  ...same,
  ...(sort !== undefined && { sort: sort as "newest" }),
  ...(from !== undefined && { created_from: startOfDay(from) }),
  ...(to !== undefined && { created_to: startOfDay(to, 1) }),
});

/** The list shows only some deposits. The sort order hides none. */
export const isFiltered = (search: DepositSearch): boolean =>
  Object.keys(search).some((name) => name !== "sort");
