import { type Command, InvalidArgumentError } from "commander";
import { BATCH_ID, type RetryBatchDocument, withIntake } from "#cli/batch/batches.ts";
import { plural, print, printJson, say } from "#cli/terminal/output.ts";
import { withServerOptions, type ServerFlags } from "#cli/terminal/server-options.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly preview?: boolean;
  readonly reason?: string;
  readonly returned?: ConfirmedTotals;
}

/** `batch retry-declined`: pays the declined payouts again, as a separate retry batch. */
export function retryDeclinedSubcommand(batch: Command): void {
  withServerOptions(
    batch
      .command("retry-declined")
      .argument("<id>", BATCH_ID)
      .description(
        "retry a batch's declined payouts under new transaction codes in a retry batch, which requires approval",
      )
      .option(
        "--reason <text>",
        "why payouts declined for an unknown reason can be retried unchanged",
      )
      .option(
        "--returned <totals>",
        "retry the returned payouts instead, and confirm their totals, such as INR=100.00,THB=50.00",
        confirmedTotals,
      )
      .option("--preview", "preview the payouts of the retry batch without creating it")
      .option("--json", "print JSON"),
  ).action((id: string, { preview, json, reason, returned, ...flags }: Flags) =>
    withIntake(flags, async (intake) => {
      const before = await intake.previewRetryBatch(id);
      if (preview) {
        if (json) printJson(before);
        else print(previewText(id, before));
        return;
      }
      const made = await intake.createRetryBatch(id, reason, returned);
      if (made.need_new_details > 0) {
        say(
          `${plural(made.need_new_details, "declined payout")} left out because the gateway refused their details. To edit their details, open the batch on the dashboard and choose Retry payouts.`,
        );
      }
      if (made.left_out > 0) {
        say(
          `${plural(made.left_out, "declined row")} left out because the current rules reject them or read them differently.`,
        );
      }
      const { document } = await intake.show(made.batch_id);
      if (json) printJson({ ...document, left_out: made.left_out });
      else {
        const sums = Object.entries(document.totals).map((sum) => sum.join(" "));
        print(
          `${made.batch_id} retries ${plural(document.rows, "payout")} of ${id}: ${sums.join(", ")}`,
        );
        say(
          `No payouts will be sent until the batch is approved. To send it for approval: payrun batch request-approval ${made.batch_id}`,
        );
      }
    }),
  );
}

type ConfirmedTotals = readonly { readonly currency: string; readonly amount: string }[];

const confirmedTotals = (text: string): ConfirmedTotals =>
  text.split(",").map((total) => {
    const [, currency = "", amount = ""] =
      /^([A-Z0-9-]+)=(\d+(?:\.\d+)?)$/.exec(total.trim()) ?? [];
    if (currency === "") throw new InvalidArgumentError("Use totals such as INR=100.00,THB=50.00.");
    return { currency, amount };
  });

type Share = RetryBatchDocument["payable"];

const shareText = ({ count, sums }: Share): string =>
  `${count}  ${sums.map(({ currency, amount }) => `${currency} ${amount}`).join(", ") || "0"}`;

const RULES: Readonly<Record<RetryBatchDocument["causes"][number]["retry"], string>> = {
  new_details: "These payouts can be retried only with new details.",
  decision: "These payouts can be retried with new details, or unchanged with --reason.",
};

function previewText(
  id: string,
  { payable, causes, left_out, batches, of }: RetryBatchDocument,
): string {
  const again = batches.map(({ batch_id, state }) => `retried in ${batch_id} (${state})`);
  return [
    ...(of ? [`${id} retries payouts from ${of.batch_id}.`] : []),
    `can be retried: ${shareText(payable)}`,
    ...causes.map((cause) => `  ${shareText(cause)}. ${cause.meaning} ${RULES[cause.retry]}`),
    ...left_out.map((share) => `left out: ${shareText(share)}. ${share.says}`),
    ...again,
  ].join("\n");
}
