import { SUM } from "#batch/control-totals.ts";
import { isBeforeApproval } from "#batch/lifecycle.ts";
import { drawn } from "#batch/visible.ts";
import type { Command } from "commander";
import { type Batches, type Said, withBatches, withIntake } from "#cli/batches.ts";
import { findingLines } from "#cli/check-report.ts";
import { CANARY_OPTION, readCanary } from "#cli/canary.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import { assertFile } from "#cli/file.ts";
import { NUMBERS_COMPARED } from "#cli/numbers-compared.ts";
import { print, printAll, printJson, say } from "#cli/output.ts";
import { PRIORITY_OPTION, readPriority } from "#cli/priority.ts";
import { assertTotals, collect } from "#cli/totals.ts";
import { atServer, type ServerFlags } from "#cli/where.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly submit?: boolean;
  readonly leaveOut?: boolean;
  readonly numbersCompared?: boolean;
}

/** Files on their way in: brought, repaired, handed in for approval. Nothing is sent by any of it. */
export function batchFileSubcommands(batch: Command): void {
  atServer(
    batch
      .command("create")
      .argument("<file>", "a CSV file or a workbook")
      .description("take a file in and check it; the same file again is the same batch")
      .option("--submit", "hand it in for approval, if every row can be paid")
      .option(...NUMBERS_COMPARED)
      .option("--name <text>", "what people call it")
      .option("--purpose <text>", "what it is for")
      .option(...CANARY_OPTION, readCanary)
      .option(...PRIORITY_OPTION, readPriority)
      .option("--total <CUR=AMOUNT>", "what its payouts must come to; once per currency", collect)
      .option("--json", "print JSON"),
  ).action(async (file: string, flags: Flags & Said) => {
    await assertFile(file);
    assertTotals(flags.total);
    for (const sum of flags.total ?? []) {
      if (SUM.test(sum)) continue;
      throw new CliError(EXIT.usage, `--total ${sum}: expected CUR=AMOUNT, such as INR=1234.50`);
    }
    await withIntake(flags, async (intake) => {
      const { id, isNew, kept } = await intake.create(file, flags);
      if (!isNew) say([`This file is batch ${id} already.`, ...kept].join(" "));
      const state = await tell(id, { is_new: isNew, kept }, flags, intake);
      if (state === "needs_correction") process.exitCode = EXIT.problems;
      else if (flags.submit && state === "awaiting_approval") await handIn(id, flags, intake);
    });
  });

  const on = (
    name: string,
    text: string,
    run: (id: string, flags: Flags, batches: Batches) => Promise<void>,
  ) =>
    atServer(batch.command(name).argument("<id>").description(text)).action(
      (id: string, flags: Flags) => withBatches(flags, (batches) => run(id, flags, batches)),
    );
  on("rejects", "CSV: the rejected rows, what is wrong with them, and how to repair it", rejects);

  atServer(
    batch
      .command("correct")
      .argument("<id>")
      .argument("<file>", "the file of rejects, repaired")
      .description("take repaired rows in: all of them or none")
      .option("--json", "print JSON"),
  ).action(async (id: string, file: string, flags: Flags) => {
    await assertFile(file);
    await withIntake(flags, async (intake) => {
      const { rows, repaired } = await intake.correct(id, file);
      say(`${repaired} of ${rows} rows are repaired.`);
      const state = await tell(id, { repaired }, flags, intake);
      if (state === "needs_correction") process.exitCode = EXIT.problems;
    });
  });

  on("submit", "hand a batch in for approval", handIn)
    .option("--leave-out", "go on without the rows that are wrong")
    .option(...NUMBERS_COMPARED);
}

/** What the file came to, and what was found in it; the state that it leaves the batch in. */
async function tell(id: string, more: object, { json }: Flags, batches: Batches) {
  const { document } = await batches.show(id);
  const { state, rows, rejected, totals, file } = document;
  const findings = isBeforeApproval(state) ? await batches.findings(id) : [];
  if (findings.length > 0) say(findingLines(findings).join("\n"));
  if (json) printJson({ ...document, ...more });
  else {
    const sums = Object.entries(totals).map(([currency, amount]) => `${currency} ${amount}`);
    print(`${id}  ${state}  ${drawn(file)}`);
    print(`${rows} rows, ${rejected} of them wrong; the others come to ${sums.join(", ") || "0"}`);
  }
  return state;
}

async function handIn(id: string, flags: Flags, batches: Batches): Promise<void> {
  const { leaveOut = false, numbersCompared = false } = flags;
  const isNew = await batches.submit(id, { leaveOut, numbersCompared });
  say(
    isNew
      ? `${id} waits for approval. Follow it with: payrun batch watch ${id}`
      : `${id} was handed in for approval before.`,
  );
}

const rejects = (id: string, _flags: Flags, batches: Batches): Promise<void> =>
  printAll(batches.rejects(id));
