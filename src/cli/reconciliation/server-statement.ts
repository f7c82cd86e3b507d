import { randomUUID } from "node:crypto";
import { err, ok, type Result } from "#base/result.ts";
import type { ProblemDocument } from "#api/app/shapes.ts";
import type { StatementResult } from "#api/reconciliation/statements.ts";
import { serverLane } from "#cli/payout/lane-name.ts";
import {
  changesOf,
  countOf,
  dayOf,
  type StatementFlags,
} from "#cli/reconciliation/statement-flags.ts";
import { fileNameOf } from "#cli/terminal/file.ts";
import type { Server } from "#cli/terminal/server.ts";
import { Refused } from "#cli/terminal/transport.ts";
import type { LoadRefusal, MappingQuestion } from "#flows/reconciliation/statement-upload.ts";
import type { AmountStyle } from "#money/parse.ts";
import type { PayoutSign, StatementMapping } from "#reconciliation/statement-mapping.ts";
import type { StatementProblem } from "#reconciliation/statement-table.ts";

/** Uploads a statement to a server, which compares it. */
export async function reconcileThere(
  file: string,
  flags: StatementFlags,
  server: Server,
): Promise<Result<StatementResult, LoadRefusal>> {
  const query = await queryOf(file, flags, server);
  try {
    // A key of its own: the same statement is compared again when the ledger has changed.
    const input = { query, key: randomUUID() };
    const { answer } = await server.sendFile("POST /api/statements", file, input);
    return ok(answer);
  } catch (error) {
    const refusal = error instanceof Refused ? refusalIn(error.document) : null;
    if (!refusal) throw error;
    return err(refusal);
  }
}

async function queryOf(file: string, flags: StatementFlags, server: Server) {
  const { columns, words, amountStyle, payoutSign, zone } = await changesOf(flags);
  const { outsideDay, lines, total, opening, closing, deposits } = flags;
  const meanings = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([name, meaning]) => `${name}=${meaning}`);
  return {
    lane: await serverLane(flags.lane.toUpperCase(), server),
    day: await dayOf(flags.day),
    file_name: fileNameOf(file),
    columns:
      columns && meanings(Object.entries(columns).map(([field, name]) => [name, field] as const)),
    words: words && meanings(Object.entries(words)),
    amounts: amountStyle,
    sign: payoutSign,
    zone,
    confirm_mapping: flags.confirmMapping === true ? ("true" as const) : undefined,
    outside_day: countOf(outsideDay, "--outside-day") ?? undefined,
    lines: countOf(lines, "--lines") ?? undefined,
    total,
    opening,
    closing,
    deposits,
  };
}

/** The members of a refusal that the API adds to its problem. */
interface Details {
  readonly problems?: readonly StatementProblem[];
  readonly outside_day?: number;
  readonly mapping?: Pick<StatementMapping, "columns" | "words" | "zone"> & {
    readonly amounts: AmountStyle;
    readonly sign: PayoutSign;
  };
  readonly names?: readonly string[];
  readonly samples?: readonly (readonly string[])[];
  readonly missing?: MappingQuestion["missing"];
}

/** Returns a refusal of the statement. Null: the server refused for another reason. */
function refusalIn(document: ProblemDocument): LoadRefusal | null {
  const { problems, outside_day: count, mapping } = document as Details;
  const { names = [], samples = [], missing = [] } = document as Details;
  if (document.code === "file_unreadable" && problems) return { kind: "unreadable", problems };
  if (document.code !== "reading_unconfirmed") return null;
  if (count !== undefined) return { kind: "outside_day", count };
  if (!mapping) return null;
  const { amounts: amountStyle, sign: payoutSign, ...rest } = mapping;
  const asked = { ...rest, amountStyle, payoutSign };
  return {
    kind: "mapping_unconfirmed",
    mapping: asked,
    names,
    samples,
    missing,
    review: null,
    isByPerson: false,
  };
}
