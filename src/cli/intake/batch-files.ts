import { SUM } from "#intake/batch/control-totals.ts";
import { isBeforeApproval, isReadyForApproval } from "#intake/batch/batch-lifecycle.ts";
import { printable } from "#base/invisible-characters.ts";
import type { Command } from "commander";
import {
  BATCH_ID,
  type BatchDocument,
  type Batches,
  type UploadOptions,
  withBatches,
  withIntake,
} from "#cli/batch/batches.ts";
import { findingLines } from "#cli/batch/check-report.ts";
import { CANARY_OPTION, readCanary } from "#cli/batch/canary.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { assertFile } from "#cli/terminal/file.ts";
import { NUMBERS_COMPARED } from "#cli/batch/confirmations.ts";
import { leaveOutSubcommands } from "#cli/intake/leave-out.ts";
import { plural, print, printAll, printJson, say } from "#cli/terminal/output.ts";
import { PRIORITY_OPTION, readPriority } from "#cli/intake/priority.ts";
import { readingChoices, withReadingOptions } from "#cli/terminal/reading-options.ts";
import { assertTotals, collect, normalizedTotal } from "#cli/terminal/totals.ts";
import { withServerOptions, type ServerFlags } from "#cli/terminal/server-options.ts";
import { moneyText } from "#money/display.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly requestApproval?: boolean;
  readonly leaveOut?: boolean;
  readonly numbersCompared?: boolean;
}

/**
 * Commands that upload files, correct them, and send batches for approval. None of them sends a
 * payout.
 */
export function batchFileSubcommands(batch: Command): void {
  withServerOptions(
    withReadingOptions(batch.command("create"))
      .argument("<file>", "a CSV file or an XLSX workbook")
      .description(
        "upload a file and validate it; uploading the same file again returns the same batch",
      )
      .option("--request-approval", "send the batch for approval if every row is valid")
      .option(...NUMBERS_COMPARED)
      .option("--name <text>", "batch name")
      .option("--purpose <text>", "purpose of the batch, shown to approvers")
      .option(...CANARY_OPTION, readCanary)
      .option(...PRIORITY_OPTION, readPriority)
      .option("--total <CUR=AMOUNT>", "expected total for one currency; repeatable", collect)
      .option("--json", "print JSON"),
  ).action(create);

  const on = (
    name: string,
    text: string,
    run: (id: string, flags: Flags, batches: Batches) => Promise<void>,
  ) =>
    withServerOptions(batch.command(name).argument("<id>", BATCH_ID).description(text)).action(
      (id: string, flags: Flags) => withBatches(flags, (batches) => run(id, flags, batches)),
    );
  on(
    "rejects",
    "print the rejected rows as CSV, with their problems and how to correct them",
    rejects,
  );

  withServerOptions(
    batch
      .command("correct")
      .argument("<id>", BATCH_ID)
      .argument("<file>", "corrected file of rejected rows, from: payrun batch rejects ID")
      .description("upload corrected rows; either all rows are stored or none are")
      .option("--json", "print JSON"),
  ).action(correct);

  leaveOutSubcommands(batch);

  on("request-approval", "send a batch for approval", async (...order) =>
    say(await requestApproval(...order)),
  )
    .option("--leave-out", "send the batch for approval without its rejected rows")
    .option(...NUMBERS_COMPARED);
}

async function create(file: string, flags: Flags & UploadOptions): Promise<void> {
  await assertFile(file);
  assertTotals(flags.total);
  readingChoices(flags);
  const total = (flags.total ?? []).map(normalizedTotal);
  for (const sum of total) {
    if (SUM.test(sum)) continue;
    throw new CliError(EXIT.usage, `--total ${sum}: expected CUR=AMOUNT, such as INR=1234.50`);
  }
  await withIntake(flags, async (intake) => {
    const { id, isNew, notApplied } = await intake.create(file, { ...flags, total });
    if (!isNew) say([`This file was already uploaded as batch ${id}.`, ...notApplied].join(" "));
    const document = await showFindings(id, intake);
    const isReady = isReadyForApproval(document.state);
    // With --json, one document reports both the upload and the result of sending it for approval.
    const handedIn =
      flags.requestApproval && isReady ? await tryRequestApproval(id, flags, intake) : null;
    printFileResult(
      document,
      {
        is_new: isNew,
        ignored_options: notApplied,
        ...(flags.requestApproval ? inJson(handedIn) : {}),
      },
      flags,
    );
    if (handedIn instanceof CliError) throw handedIn;
    if (handedIn) say(handedIn);
    if (document.state === "needs_correction") process.exitCode = EXIT.problems;
  });
}

async function correct(id: string, file: string, flags: Flags): Promise<void> {
  await assertFile(file);
  await withIntake(flags, async (intake) => {
    const { rows, corrected } = await intake.correct(id, file);
    say(`${corrected} of ${plural(rows, "row")} corrected.`);
    const document = await showFindings(id, intake);
    printFileResult(document, { corrected }, flags);
    if (document.state === "needs_correction") process.exitCode = EXIT.problems;
  });
}

/** Returns the batch as it is, and prints the problems of its file. */
async function showFindings(id: string, batches: Batches): Promise<BatchDocument> {
  const { document } = await batches.show(id);
  const findings = isBeforeApproval(document.state) ? await batches.findings(id) : [];
  if (findings.length > 0) say(findingLines(findings).join("\n"));
  return document;
}

/** Prints the result of reading the file. */
function printFileResult(document: BatchDocument, more: object, { json }: Flags): void {
  const { batch_id: id, state, rows, rejected, totals, file } = document;
  if (json) return printJson({ ...document, ...more });
  const sums = Object.entries(totals).map(([currency, amount]) => moneyText({ currency, amount }));
  print(`${id}  ${state}  ${printable(file)}`);
  print(
    `${plural(rows, "row")}, ${rejected} rejected; total of the valid rows: ${sums.join(", ") || "0"}`,
  );
}

/**
 * Sends a batch for approval and returns what to print.
 * @throws CliError if it is refused.
 */
async function requestApproval(id: string, flags: Flags, batches: Batches): Promise<string> {
  const { leaveOut = false, numbersCompared = false } = flags;
  return (await batches.requestApproval(id, { leaveOut, numbersCompared }))
    ? `${id} is waiting for approval. To track it: payrun batch watch ${id}`
    : `${id} has already been sent for approval.`;
}

const tryRequestApproval = (
  ...order: Parameters<typeof requestApproval>
): Promise<string | CliError> =>
  requestApproval(...order).catch((error: unknown) => {
    if (error instanceof CliError) return error;
    throw error;
  });

const inJson = (handedIn: string | CliError | null) =>
  handedIn instanceof CliError
    ? {
        approval_requested: false,
        error: { code: handedIn.code, exit_code: handedIn.exitCode, message: handedIn.message },
      }
    : { approval_requested: handedIn !== null };

const rejects = (id: string, _flags: Flags, batches: Batches): Promise<void> =>
  printAll(batches.rejects(id));
