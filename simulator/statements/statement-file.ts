import { seededRandom } from "#simulator/faults/seeded-random.ts";
import {
  type AppliedDefect,
  damaged,
  type DefectPlan,
  type FileDefectName,
  type StatementRow,
} from "./defects.ts";

/** The columns of a statement. The provider does not publish the real ones. */
const COLUMNS: readonly (readonly [name: string, cell: (row: StatementRow) => string])[] = [
  ["Transaction No", ({ number }) => number],
  ["Transaction Code", ({ code }) => code],
  ["Currency", ({ currency }) => currency],
  ["Amount", ({ amount }) => amount],
  ["Fee", ({ fee }) => fee],
  ["Status", ({ status }) => status],
  ["Completed At", ({ at }) => new Date(at).toISOString()],
];

export interface StatementPlan extends DefectPlan {
  readonly file: readonly FileDefectName[];
}

/** A statement as CSV, and the defects that it contains. */
export interface StatementFile {
  readonly csv: string;
  readonly applied: readonly AppliedDefect[];
}

/** Writes a statement with the planned defects. The same plan gives the same bytes. */
export function statementFile(given: readonly StatementRow[], plan: StatementPlan): StatementFile {
  const { rows, applied } = damaged(given, plan);
  const columns = plan.file.includes("shuffled") ? shuffled(plan.seed) : COLUMNS;
  const lines = [
    columns.map(([name]) => cellText(name)).join(","),
    ...rows.map((row) => columns.map(([, cell]) => cellText(cell(row))).join(",")),
  ];
  const whole = { csv: `${lines.join("\n")}\n`, applied };
  const isTruncated = plan.file.includes("truncated");
  if (!isTruncated && !plan.file.includes("cut_row")) return whole;

  const kept = Math.floor(rows.length * (0.5 + seededRandom(plan.seed, "cut") / 2));
  const keptCodes = new Set(rows.slice(0, kept).map(({ code }) => code));
  const cutCodes = new Set(rows.slice(kept).map(({ code }) => code));
  const start = lines.slice(0, kept + 1).join("\n");
  const partial = lines[kept + 1] ?? "";
  const lost = given.filter(({ code }) => cutCodes.has(code) && !keptCodes.has(code));
  const lostReturns = rows
    .slice(kept)
    .filter(({ code, status }) => status === "Returned" && keptCodes.has(code));
  return {
    csv: isTruncated ? `${start}\n` : `${start}\n${cutRow(partial, plan.seed)}`,
    applied: [
      // The cut hides the other defects of the rows that it removes.
      ...applied.filter(({ code }) => !cutCodes.has(code)),
      ...lost.map(({ code }) => ({ defect: "truncated" as const, code })),
      ...lostReturns.map(({ code }) => ({ defect: "return_truncated" as const, code })),
    ],
  };
}

/** Cuts a row anywhere, also within its last cell. */
const cutRow = (row: string, seed: number): string =>
  row.slice(0, 1 + Math.floor(seededRandom(seed, "cut row") * (row.length - 1)));

function shuffled(seed: number): typeof COLUMNS {
  return COLUMNS.map((column, at) => ({ column, order: seededRandom(seed, "column", at) }))
    .toSorted((left, right) => left.order - right.order)
    .map(({ column }) => column);
}

const cellText = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
