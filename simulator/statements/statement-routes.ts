import { z } from "zod";
import type { LogLine } from "#simulator/state/transaction-log.ts";
import { checkInput, problemsIn } from "#simulator/wire/input.ts";
import { zoneOf } from "#simulator/state/time-zone.ts";
import { FILE_DEFECTS, type FileDefectName, ROW_DEFECT_NAMES } from "./defects.ts";
import { camtFile } from "./camt-file.ts";
import { type AccountDay, dayBalances, depositRows, statementRows } from "./statement-day.ts";
import { statementFile } from "./statement-file.ts";

const ASKED = z.strictObject({
  merchant: z.string().min(1),
  currency: z.string().min(1),
  day: z.iso.date(),
  /** Time zone of the day. */
  zone: z.string().default("GMT+00:00"),
  /** Defects of rows, such as `missing:2,doubled:1`, and of the file, such as `shuffled`. */
  defects: z.string().default(""),
  seed: z.coerce.number().int().default(0),
  format: z.enum(["csv", "camt.053"]).default("csv"),
});

const EXAMPLE =
  "/statement?merchant=M1&currency=INR&day=2026-11-29&zone=GMT+05:30&format=camt.053&defects=missing:2";

/** Documents of the back office for one day of an account. */
const PARTS = ["statement", "statement-defects", "statement-balances"] as const;

export interface BackOfficeAnswer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

/**
 * Answers a request for the statement of a day, the list of its defects, or the balances of the
 * day. Null: the address is another one.
 */
export function answerStatement(
  url: URL,
  { lines, feePercent }: { lines: () => readonly LogLine[]; readonly feePercent: string },
): BackOfficeAnswer | null {
  const part = PARTS.find((each) => url.pathname === `/${each}`);
  if (!part) return null;
  const asked = checkInput(ASKED, Object.fromEntries(url.searchParams));
  if (!asked.success)
    return refused(`${problemsIn(asked.error, "parameters")}. Example: ${EXAMPLE}`);
  const times = dayOf(asked.data);
  const day = times && { ...times, feePercent };
  if (!day) return refused("zone: a label such as GMT+05:30");
  if (part === "statement-balances") return json(dayBalances(lines(), day));
  const defects = defectsOf(asked.data.defects);
  if (typeof defects === "string") return refused(defects);
  const { seed, format } = asked.data;
  const plan = { seed, ...defects };
  const rows = statementRows(lines(), day);
  if (format === "csv" || part === "statement-defects") {
    const { csv, applied } = statementFile(rows, plan);
    if (part === "statement-defects") return json(applied);
    return { status: 200, body: csv, type: "text/csv; charset=utf-8" };
  }
  const balances = dayBalances(lines(), day);
  const deposits = depositRows(lines(), day);
  const { xml } = camtFile(rows, plan, { ...asked.data, balances, deposits });
  return { status: 200, body: xml, type: "application/xml; charset=utf-8" };
}

const json = (value: unknown): BackOfficeAnswer => ({
  status: 200,
  body: JSON.stringify(value),
  type: "application/json",
});

const refused = (message: string): BackOfficeAnswer => ({
  ...json({ message }),
  status: 400,
});

const DAY_MS = 86_400_000;

function dayOf({
  merchant,
  currency,
  day,
  zone,
}: z.output<typeof ASKED>): Omit<AccountDay, "feePercent"> | null {
  const label = zoneOf(zone);
  if (!label) return null;
  const fromMs = Date.parse(`${day}T00:00:00Z`) - label.offsetMinutes * 60_000;
  return { merchant, currency, fromMs, toMs: fromMs + DAY_MS };
}

/** Reads `missing:2,shuffled`. Returns the reason why it cannot be read as a text. */
function defectsOf(text: string) {
  const file: FileDefectName[] = [];
  const rows: Partial<Record<(typeof ROW_DEFECT_NAMES)[number], number>> = {};
  for (const part of text.split(",").filter((each) => each !== "")) {
    const [name = "", count = "1"] = part.split(":");
    const [ofRow, ofFile] = [
      ROW_DEFECT_NAMES.find((each) => each === name),
      FILE_DEFECTS.find((each) => each === name),
    ];
    if (!/^\d{1,9}$/.test(count) || (!ofRow && !ofFile)) {
      const known = [...ROW_DEFECT_NAMES.map((each) => `${each}:COUNT`), ...FILE_DEFECTS];
      return `defects: ${part} is none of ${known.join(", ")}`;
    }
    if (ofRow) rows[ofRow] = Number(count);
    else if (ofFile) file.push(ofFile);
  }
  return { rows, file };
}
