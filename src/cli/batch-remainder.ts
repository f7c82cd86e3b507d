import type { Command } from "commander";
import { type RemainderDocument, withIntake } from "#cli/batches.ts";
import { plural, print, printJson, say } from "#cli/output.ts";
import { atServer, type ServerFlags } from "#cli/where.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly preview?: boolean;
}

/** `batch remainder`: pays the declined payouts again, as a separate retry batch. */
export function remainderSubcommand(batch: Command): void {
  atServer(
    batch
      .command("remainder")
      .argument("<id>")
      .description(
        "create a retry batch of the declined payouts with new transaction codes; it needs approval as usual",
      )
      .option("--preview", "only show which payouts it would and would not contain")
      .option("--json", "print JSON"),
  ).action((id: string, { preview, json, ...flags }: Flags) =>
    withIntake(flags, async (intake) => {
      const before = await intake.remainder(id);
      if (preview) {
        if (json) printJson(before);
        else print(previewText(id, before));
        return;
      }
      const made = await intake.payAgain(id);
      if (made.left_out > 0) {
        say(
          `${made.left_out} declined rows are left out: the checks of today refuse them, or read them otherwise.`,
        );
      }
      const { document } = await intake.show(made.batch_id);
      if (json) printJson({ ...document, left_out: made.left_out });
      else {
        const sums = Object.entries(document.totals).map((sum) => sum.join(" "));
        print(
          `${made.batch_id} pays ${plural(document.rows, "payout")} of ${id} again: ${sums.join(", ")}`,
        );
        say(
          `Nothing is sent before it is approved. Hand it in: payrun batch submit ${made.batch_id}`,
        );
      }
    }),
  );
}

type Share = RemainderDocument["payable"];

const shareText = ({ count, sums }: Share): string =>
  `${count}  ${sums.map(({ currency, amount }) => `${currency} ${amount}`).join(", ") || "0"}`;

function previewText(id: string, { payable, left_out, batches, of }: RemainderDocument): string {
  const again = batches.map(({ batch_id, state }) => `paid again by ${batch_id} (${state})`);
  return [
    ...(of ? [`${id} pays declined payouts of ${of.batch_id} again.`] : []),
    `can be paid again: ${shareText(payable)}`,
    ...left_out.map((share) => `left out: ${shareText(share)}. ${share.says}`),
    ...again,
  ].join("\n");
}
