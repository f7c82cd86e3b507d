/** Reads camt.053 files in tests. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import type { StatementLine } from "#reconciliation/records.ts";
import { openStatement } from "#reconciliation/statement-reader.ts";
import { type StatementMapping, suggestColumns } from "#reconciliation/statement-mapping.ts";
import { openStatementTable } from "#reconciliation/statement-table.ts";
import { document } from "./document.ts";

export const INR = { currency: "INR", minorDigits: 2 };

async function* bytesOf(content: string | Uint8Array, size = 1 << 20) {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Suggests the mapping of a file. */
export async function mappingOf(content: string): Promise<StatementMapping> {
  const table = await openStatementTable(bytesOf(content));
  if (!table.ok) throw new Error(JSON.stringify(table.error));
  const { names, fixed } = table.value;
  const columns = suggestColumns(names);
  return { columns, amountStyle: "plain", payoutSign: "none", words: {}, zone: "UTC", ...fixed };
}

/** Reads a file in pieces of a size. */
export async function read(
  content: string | Uint8Array,
  size?: number,
  limits = DEFAULT_FILE_LIMITS,
) {
  const mapping = await mappingOf(document());
  const opened = await openStatement(bytesOf(content, size), mapping, INR, { limits });
  if (!opened.ok) return { lines: [], facts: null, problems: opened.error.problems };
  const lines: StatementLine[] = [];
  for await (const chunk of opened.value.lines) lines.push(...chunk);
  const end = opened.value.end();
  if (!end.ok) return { lines, facts: null, problems: end.error };
  expect(end.value.digest).toBe(createHash("sha256").update(content).digest("hex"));
  return { lines, facts: end.value.facts, problems: [] };
}
