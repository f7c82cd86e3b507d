import { printable } from "#base/invisible-characters.ts";
import type { Command } from "commander";
import { BATCH_ID, type ComparisonDocument, withBatches } from "#cli/batch/batches.ts";
import { plural, print, printJson } from "#cli/terminal/output.ts";
import { withServerOptions, type ServerFlags } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly with?: string;
}

/** `batch compare`: compares a monthly batch with an earlier one, for the approver. */
export function compareSubcommand(batch: Command): void {
  withServerOptions(
    batch
      .command("compare")
      .argument("<id>", BATCH_ID)
      .description(
        "compare a batch's accounts, amounts and beneficiaries with those of an earlier batch",
      )
      .option("--with <id>", "batch to compare with (default: the most similar earlier batch)")
      .option("--json", "print JSON"),
  ).action((id: string, { json, with: other, ...flags }: Flags) =>
    withBatches(flags, async (batches) => {
      const diff = await batches.compare(id, other ?? null);
      if (json) printJson(diff);
      else print(comparisonText(id, diff));
    }),
  );
}

const ROWS_PRINTED = 10;

function comparisonText(
  id: string,
  { against, is_retry, totals, parts }: ComparisonDocument,
): string {
  if (!against) {
    const why = is_retry
      ? `Batch ${id} retries payouts of another batch, so it is not compared.`
      : `No earlier batch is similar to batch ${id}.`;
    return `${why} To compare it with a batch of your choice, add --with ID.`;
  }
  const { batch_id, file, payouts } = against;
  const sums = totals.map(({ currency, amount, before, times }) =>
    before === null
      ? `${currency} ${amount}, previously none`
      : `${currency} ${amount}, previously ${before} (× ${times})`,
  );
  const found = parts.flatMap(({ part, says, count, rows }) => [
    `${count}  ${says}`,
    ...(part === "same" ? [] : rows.slice(0, ROWS_PRINTED).map(rowText)),
  ]);
  return [
    `compared with ${batch_id}, ${printable(file)}, ${plural(payouts, "payout")}`,
    ...sums,
    ...found,
  ].join("\n");
}

type Row = ComparisonDocument["parts"][number]["rows"][number];

function rowText({ line, beneficiary, account_last4, currency, amount, before }: Row): string {
  const was = before ? `  previously: ${before.amount} to ••${before.account_last4 ?? "?"}` : "";
  return `   line ${line}  ${beneficiary}  ••${account_last4 ?? "?"}  ${currency} ${amount}${was}`;
}
