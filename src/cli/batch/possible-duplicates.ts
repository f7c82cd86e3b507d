import {
  type Acknowledgement,
  type DecisiveFinding,
  decisiveFindings,
  notAcknowledged,
} from "#approval/acknowledgements.ts";
import { ROW_CHECKS } from "#approval/anomalies.ts";
import { overlapText } from "#approval/possible-duplicates.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { plural, say } from "#cli/terminal/output.ts";
import { ask, hasTerminal } from "#cli/terminal/prompt.ts";
import { findPossibleDuplicates } from "#ledger/approval/possible-duplicates.ts";
import { countOf, findingsOfAnomalies } from "#ledger/approval/anomalies.ts";
import { findAnomalies } from "#ledger/approval/flagged-rows.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/** Maximum number of rows. Checking more takes longer than a person at a terminal should wait. */
const ROWS_MAX = 20_000;
const LINES_SHOWN = 5;

/** Prints possible duplicates of earlier payouts, and returns them. Null: too many rows. */
export async function sayPossibleDuplicates(
  { id, rows }: Batch,
  { database, sealer }: Pick<OpenLedger, "database" | "sealer">,
): Promise<Awaited<ReturnType<typeof findPossibleDuplicates>> | null> {
  if (rows > ROWS_MAX) {
    say(
      `A batch of ${rows} rows is checked for possible duplicates only on the dashboard, not on the command line.`,
    );
    return null;
  }
  const near = await findPossibleDuplicates(database, sealer, id);
  const { flags, overlaps } = near;
  for (const { check, count, rows: found } of await findingsOfAnomalies(database, sealer, flags)) {
    const lines = found.slice(0, LINES_SHOWN).map(({ line }) => line);
    const more = count > lines.length ? ", …" : "";
    const where = `${count === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
    say(`Warning: ${plural(count, "row")} (${where}): ${ROW_CHECKS[check]}`);
  }
  for (const { batchId, percent } of overlaps) say(`Warning: ${overlapText(batchId, percent)}`);
  return near;
}

/**
 * Prints the possible duplicates in a batch, and returns the findings that the approver has
 * acknowledged: with options, or by answering on a terminal.
 *
 * @throws CliError if a finding is not acknowledged.
 */
export async function acknowledgeFindings(
  batch: Batch,
  given: readonly string[],
  { database, sealer }: Pick<OpenLedger, "database" | "sealer">,
): Promise<readonly Acknowledgement[]> {
  const options = given.map(acknowledgementIn);
  const near = await sayPossibleDuplicates(batch, { database, sealer });
  if (near === null) return [];
  const { rowIds: others, oneDigitOff, overlaps } = near;
  // Only a check that is not decisive depends on the limits.
  const { flags } = await findAnomalies(database, batch.id, new Map(), { others, oneDigitOff });
  const found = [...flags, ...near.flags];
  const decisive = decisiveFindings({ rowsOf: (check) => countOf(check, found), overlaps });
  const left = notAcknowledged(decisive, options);
  if (left.length > 0 && options.length === 0 && hasTerminal()) {
    for (const finding of left) await askFor(finding, batch.id);
  } else if (left.length > 0) {
    throw notChecked(batch.id, left);
  }
  return decisive;
}

async function askFor({ rows, says }: DecisiveFinding, batchId: string): Promise<void> {
  const answer = await ask(`${plural(rows, "row")}: ${says}. Have you checked this? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} was not approved. No payouts were sent. To see its rows: payrun batch report ${batchId}`,
  );
}

/** Parses "paid_lately=3". */
function acknowledgementIn(text: string): Acknowledgement {
  const [, finding, rows] = /^(\S+)=([1-9]\d*)$/.exec(text.trim()) ?? [];
  if (finding === undefined) {
    throw new CliError(
      EXIT.usage,
      `--acknowledge ${text}: expected FINDING=ROWS, such as paid_lately=3`,
    );
  }
  return { finding, rows: Number(rows) };
}

/** The message names the options, with the number of rows, because a later run may find others. */
const notChecked = (batchId: string, left: readonly DecisiveFinding[]): CliError =>
  new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} was not approved: ${plural(left.length, "finding")} may be a second payment or a wrong account.\n${left
      .map(({ rows, says }) => `  ${plural(rows, "row")}: ${says}`)
      .join(
        "\n",
      )}\nCheck them, then run the same command again with ${left.map(({ finding, rows }) => `--acknowledge ${finding}=${rows}`).join(" ")}. No payouts were sent.`,
  );
