import { seededRandom } from "#simulator/faults/seeded-random.ts";

/** A line of a statement, as the gateway's back office writes it. */
export interface StatementRow {
  readonly number: string;
  readonly code: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly status: "Completed" | "Failed" | "Pending" | "Returned";
  /** Epoch milliseconds. */
  readonly at: number;
}

type RowDefect = (row: StatementRow) => readonly StatementRow[];

const OTHER_CURRENCY = { from: "USD", instead: "EUR" } as const;

/** Adds units of the last written digit to a decimal. */
function shifted(amount: string, units: bigint): string {
  const digits = amount.split(".")[1]?.length ?? 0;
  const sum = BigInt(amount.replace(".", "")) + units;
  const text = sum.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns the code of a payout that the client did not request. */
const foreignCode = ({ code }: StatementRow): string => `X${code}`;

/** Defects of single rows, by name. Each replaces a row by others. */
const ROW_DEFECTS = {
  missing: () => [],
  doubled: (row) => [row, row],
  plus_one: (row) => [{ ...row, amount: shifted(row.amount, 1n) }],
  minus_one: (row) => [{ ...row, amount: shifted(row.amount, -1n) }],
  wrong_fee: (row) => [{ ...row, fee: shifted(row.fee, 1n) }],
  late_return: (row) => [{ ...row, status: "Returned" }],
  wrong_status: (row) => [{ ...row, status: "Failed" }],
  other_currency: (row) => {
    const { from, instead } = OTHER_CURRENCY;
    return [{ ...row, currency: row.currency === from ? instead : from }];
  },
  foreign: (row) => [row, { ...row, number: `${row.number}9`, code: foreignCode(row) }],
} satisfies Record<string, RowDefect>;

export type RowDefectName = keyof typeof ROW_DEFECTS;

/** Defects of the whole file: a cut after a share of its rows, and columns in another order. */
export const FILE_DEFECTS = ["truncated", "cut_row", "shuffled"] as const;
export type FileDefectName = (typeof FILE_DEFECTS)[number];

export const ROW_DEFECT_NAMES = Object.keys(ROW_DEFECTS) as readonly RowDefectName[];

/** A defect that the generator has put into a statement. */
export interface AppliedDefect {
  readonly defect: RowDefectName | "truncated" | "return_truncated";
  /** The transaction code of the row with the defect. */
  readonly code: string;
}

export interface DefectPlan {
  readonly seed: number;
  /** Number of completed rows with each defect. */
  readonly rows: Readonly<Partial<Record<RowDefectName, number>>>;
  /** Codes of rows that no defect strikes. */
  readonly spared?: ReadonlySet<string>;
}

/** Damages rows as planned: each defect strikes rows of its own, chosen by the seed. */
export function damaged(
  rows: readonly StatementRow[],
  { seed, rows: counts, spared }: DefectPlan,
): { readonly rows: readonly StatementRow[]; readonly applied: readonly AppliedDefect[] } {
  const struck = new Map<number, RowDefectName>();
  const completed = rows.flatMap(({ status, code }, at) =>
    status === "Completed" && !spared?.has(code) ? [at] : [],
  );
  let drawn = 0;
  for (const defect of ROW_DEFECT_NAMES) {
    for (let count = counts[defect] ?? 0; count > 0 && struck.size < completed.length; ) {
      drawn += 1;
      const place = Math.floor(seededRandom(seed, defect, drawn) * completed.length);
      const at = completed[place];
      if (at === undefined || struck.has(at)) continue;
      struck.set(at, defect);
      count -= 1;
    }
  }
  const applied: AppliedDefect[] = [];
  const changed = rows.flatMap((row, at) => {
    const defect = struck.get(at);
    if (!defect) return [row];
    applied.push({ defect, code: defect === "foreign" ? foreignCode(row) : row.code });
    return ROW_DEFECTS[defect](row);
  });
  return { rows: changed, applied };
}
