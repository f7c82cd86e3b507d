import { expect, test } from "vitest";

import { withoutEmpty } from "../../../dashboard/src/base/list/empty-columns.ts";

interface Row {
  readonly name: string;
  readonly fee: string | null;
  readonly owner: string;
}

const COLUMNS = [
  { key: "name", isFixed: true, cell: ({ name }: Row) => name },
  { key: "fee", cell: ({ fee }: Row) => fee ?? "–" },
  { key: "owner", isBlank: ({ owner }: Row) => owner === "", cell: (row: Row) => [row.owner] },
];

const hidden = (rows: readonly Row[]) =>
  withoutEmpty<Row, (typeof COLUMNS)[number] & { readonly isHidden?: boolean }>(COLUMNS, rows)
    .filter(({ isHidden }) => isHidden)
    .map(({ key }) => key);

test("hides an optional column without a value in any row", () => {
  const empty = { name: "", fee: null, owner: "" };
  expect(hidden([empty])).toEqual(["fee", "owner"]);
  expect(hidden([empty, { ...empty, fee: "1.00" }])).toEqual(["owner"]);
  expect(hidden([empty, { ...empty, owner: "Mia" }])).toEqual(["fee"]);
  expect(hidden([])).toEqual([]);
});
