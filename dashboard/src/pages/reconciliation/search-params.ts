import type { API } from "#api/api.ts";
import type { QueryFor } from "#api/app/operation.ts";
import { textParams } from "../../base/list/text-params.ts";

type Query = NonNullable<QueryFor<(typeof API)["GET /api/breaks"]>>;

const NAMES = ["class", "state", "lane", "day"] as const;

/** The filters of the list, as text from the page address. */
export type BreakSearch = { readonly [Name in (typeof NAMES)[number]]?: string };

/** Keeps the known filters of a page address and ignores its other parameters. */
export const breakSearch = (given: Record<string, unknown>): BreakSearch =>
  textParams(given, NAMES);

/** The query of the API. The server refuses unknown values. */
export const breaksQuery = (search: BreakSearch): Query => search as Query;

/** The lane and day of a statement to upload, from the page address. */
export interface StatementSearch {
  readonly lane?: string;
  readonly day?: string;
}

/** Keeps the lane and day of a page address. */
export const statementSearch = (given: Record<string, unknown>): StatementSearch =>
  textParams(given, ["lane", "day"]);

/** Returns the address of the page of a day. */
export const dayAddress = (day: string, lane: string, version?: number): string =>
  `/reconciliation/days/${day}?${new URLSearchParams({
    lane,
    ...(version === undefined ? {} : { version: String(version) }),
  }).toString()}`;
