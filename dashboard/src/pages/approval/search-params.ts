import { textParams } from "../../base/list/text-params.ts";

/** Filters of the list of approvals, as in the URL. */
export interface ApprovalsSearch {
  readonly show?: "mine" | "all";
  readonly text?: string;
  /** A part of the uploader's name. */
  readonly maker?: string;
  readonly currency?: string;
  readonly sort?: "oldest" | "newest" | "largest" | "smallest";
}

const NAMES = ["show", "text", "maker", "currency", "sort"] as const;

/** Keeps the known filters of a page address and ignores its other parameters. */
export const approvalsSearch = (given: Record<string, unknown>): ApprovalsSearch =>
  textParams(given, NAMES) as ApprovalsSearch;

/** The number of filters. The view and the sort order are none. */
export const filterCount = (search: ApprovalsSearch): number =>
  Object.keys(search).filter((name) => name !== "show" && name !== "sort").length;
