import { counted, inLanguage } from "../../base/language.ts";

const en = {
  display: "Display",
  columns: "Columns",
  resetColumns: "Reset",
  density: "Row height",
  densities: { compact: "Compact", standard: "Standard", spacious: "Comfortable" },
  select: "Select",
  selectDone: "Done",
  selectRow: (name: string) => `Select ${name}`,
  selectAll: "Select all shown rows",
  selection: "Selected rows",
  selected: (rows: number) => `${rows.toLocaleString()} selected`,
  wholeSelected: (found: number | null) =>
    found === null ? "All found selected" : `All ${found.toLocaleString()} selected`,
  selectWhole: (found: number | null) =>
    found === null ? "Select all found" : `Select all ${found.toLocaleString()} found`,
  clearSelection: "Clear selection",
  loadMore: "Load more rows",
  loading: "Loading more rows…",
  shown: (rows: number) => counted(rows, "row shown", "rows shown"),
  clearAll: "Clear all",
  atLeast: (characters: number) => `${characters} or more characters`,
  moreCurrencies: (count: number) => counted(count, "more currency", "more currencies"),
  fewerCurrencies: "Fewer currencies",
  payouts: (count: number) => counted(count, "payout", "payouts"),
  apply: "Apply",
  from: "On or after",
  to: "On or before",
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
  clearFilter: (filter: string) => `Remove the filter ${filter}`,
};

export const messages = inLanguage({ en });
