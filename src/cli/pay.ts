import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import type { Problem } from "#batch/problems.ts";
import { CliError, EXIT, type ExitCode } from "#cli/exit.ts";
import { actor, print, printJson, say } from "#cli/output.ts";
import { problemSummary } from "#cli/check-report.ts";
import { exitCodeOf, resultOf, resultTable } from "#cli/result.ts";
import { onInterrupt } from "#cli/signals.ts";
import { askTotals, missingTotals, readTotals } from "#cli/totals.ts";
import { waitForBatch, type Waited } from "#cli/wait.ts";
import { approve, totalsOf } from "#flows/approve.ts";
import type { Batch } from "#ledger/ledger.ts";
import { reasonText } from "#payout/reasons.ts";
import type { Payrun } from "#wiring.ts";

export interface PayOptions {
  readonly total: readonly string[];
  readonly partial?: boolean;
  readonly json?: boolean;
  readonly wait: boolean;
}

export function payCommand(program: Command): void {
  program
    .command("pay")
    .argument("<file>", "the CSV file")
    .description("pay a file: check, approve, send, and wait until every payout has ended")
    .option(
      "--total <CUR=AMOUNT>",
      "what the payouts of a currency come to; once per currency",
      collect,
      [],
    )
    .option(
      "--partial",
      "leave out the rows that have problems; without it, one bad row stops the file",
    )
    .option("--json", "print the result as one JSON document")
    .option("--no-wait", "approve and leave the work to running workers")
    .action(async (file: string, options: PayOptions) => {
      const { readConfig } = await import("#config.ts");
      const { openPayrun } = await import("#wiring.ts");
      assertFile(file);
      // The bar is the log of a person who waits.
      const payrun = await openPayrun(readConfig({}, { LOG_LEVEL: "error" }));
      try {
        process.exitCode = await pay(file, options, payrun);
      } finally {
        await payrun.close();
      }
    });
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/** Pays one file and says what became of it. The same file again goes on where it stood. */
async function pay(file: string, options: PayOptions, payrun: Payrun): Promise<ExitCode> {
  const { clock } = payrun.deps;
  const startedMs = clock.monotonicMs();
  const finish = async (batch: Batch) => {
    const now = (await payrun.ledger.findBatch({ id: batch.id })) ?? batch;
    const progress = await payrun.ledger.progressOf(batch.id);
    const result = resultOf(now, progress, (clock.monotonicMs() - startedMs) / 1000);
    if (options.json) printJson(result);
    else if (progress.length > 0) print(resultTable(result, progress));
    return progress;
  };

  const batch = await takeIn(file, options, payrun);
  if (batch.state === "needs_correction") {
    await finish(batch);
    return EXIT.problems;
  }
  if (batch.state === "cancelled") {
    throw new CliError(
      EXIT.conflict,
      `This file is batch ${batch.id}, which was cancelled. A file is paid once: put the rows into a new file to pay them.`,
    );
  }
  if (batch.state === "paused") {
    throw new CliError(
      EXIT.conflict,
      `Batch ${batch.id} is paused (${batch.reason ?? "no reason given"}). Go on with: payrun batch resume ${batch.id}`,
    );
  }
  if (batch.state === "awaiting_approval") await approveBatch(batch, options, payrun);
  else checkGivenTotals(batch, options);

  if (!options.wait) {
    await payrun.ledger.openLanes(batch.lanes.map(({ lane }) => lane));
    await finish(batch);
    say(
      `Batch ${batch.id} is approved. Running workers send it; look with: payrun batch show ${batch.id}`,
    );
    return EXIT.ok;
  }
  const waited = await work(batch, payrun);
  const progress = await finish(batch);
  await sayExceptions(batch.id, payrun);
  return codeAfter(waited, batch.id, () => exitCodeOf(progress));
}

function assertFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new CliError(EXIT.notFound, `${file}: there is no such file`);
  if (!stats.isFile()) throw new CliError(EXIT.usage, `${file}: expected a file`);
}

/** The file as a batch of the ledger: a new one, or the one it was already. */
async function takeIn(file: string, options: PayOptions, payrun: Payrun): Promise<Batch> {
  const { ingest } = await import("#flows/ingest.ts");
  const { ledger, keyring, rows } = payrun;
  const upload = { fileName: basename(file), open: () => createReadStream(file), actor: actor() };
  const taken = await ingest(upload, { ledger, keyring, rows });
  if (!taken.ok) {
    say(problemSummary(taken.error));
    throw new CliError(EXIT.problems, `${file} cannot be read as a batch. Nothing was stored.`);
  }
  const { batch, isNew, problems } = taken.value;
  const wrong = problems.length > 0 || isNew ? problems : await storedProblems(batch.id, payrun);
  if (wrong.length > 0) say(problemSummary(wrong));
  if (!isNew) say(`This file is batch ${batch.id} already (${batch.state}).`);
  if (batch.state !== "needs_correction") return batch;

  const good = batch.rows - batch.rejected;
  if (!options.partial || good === 0) {
    say(
      `${batch.rejected} of ${batch.rows} rows have problems, so nothing is paid. Correct them in the source and save the file again` +
        (good > 0 ? `, or leave them out with --partial (${good} rows remain).` : "."),
    );
    return batch;
  }
  await ledger.moveBatch({
    id: batch.id,
    event: "leave_out",
    reason: null,
    actor: actor(),
  });
  say(`${batch.rejected} rows with problems are left out; ${good} rows remain.`);
  return (await ledger.findBatch({ id: batch.id })) ?? batch;
}

async function storedProblems(batchId: string, { database, sealer }: Payrun): Promise<Problem[]> {
  const { rejectedRows } = await import("#ledger/story.ts");
  const problems: Problem[] = [];
  for await (const row of rejectedRows(database, sealer, batchId)) {
    problems.push(...row.problems);
    if (problems.length > 1_000) break;
  }
  return problems;
}

async function approveBatch(batch: Batch, options: PayOptions, payrun: Payrun): Promise<void> {
  const expected = totalsOf(batch);
  await reachGateway(options, payrun);
  const terminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (options.total.length === 0 && !terminal) throw missingTotals([...expected.keys()]);
  const totals =
    options.total.length > 0 ? readTotals(options.total, expected) : await askTotals(expected);
  const approved = await approve(
    batch.id,
    { actor: actor(), contentDigest: batch.contentDigest, totals },
    { ledger: payrun.ledger },
  );
  if (approved.ok) return;
  if (approved.error.kind === "wrong_state") return; // another run of the same command was first
  throw refusal(approved.error, batch.id);
}

function refusal(
  error:
    | { kind: "not_found" }
    | { kind: "refused"; problems: readonly { code: string; currency: string | null }[] },
  batchId: string,
): CliError {
  if (error.kind === "not_found")
    return new CliError(EXIT.notFound, `There is no batch ${batchId}.`);
  const SENTENCES: Readonly<Record<string, string>> = {
    total_differs: "the total given differs from the total of the file",
    total_missing: "the total is not given",
    total_of_no_row: "a total is given, but the file pays nothing in it",
    content_changed: "the batch is not what was shown",
  };
  const said = error.problems.map(
    ({ code, currency }) => `  ${currency ?? "batch"}: ${SENTENCES[code] ?? code}`,
  );
  return new CliError(
    EXIT.notAllowed,
    `Batch ${batchId} is not approved:\n${said.join("\n")}\nNothing was sent. Compare the file with its source, then give the right totals.`,
  );
}

/** Totals given for a batch that is approved already must be the ones that were approved. */
function checkGivenTotals(batch: Batch, options: PayOptions): void {
  const expected = totalsOf(batch);
  for (const [currency, { minor }] of readTotals(options.total, expected)) {
    if (expected.get(currency)?.minor !== minor) {
      throw refusal({ kind: "refused", problems: [{ code: "total_differs", currency }] }, batch.id);
    }
  }
}

const REACH_TRIES = 5;

/** Nothing is approved for a gateway that is not there. */
async function reachGateway(options: PayOptions, { gateway, deps, config }: Payrun): Promise<void> {
  if (!options.wait) return;
  for (let tries = 1; ; tries++) {
    const { reachable, detail } = await gateway.probe();
    if (reachable) return;
    if (tries === REACH_TRIES) {
      throw new CliError(
        EXIT.unreachable,
        `The gateway at ${config.GATEWAY_URL} cannot be reached: ${detail}. Nothing was approved or sent; run the same command again when it is back.`,
      );
    }
    say(`The gateway cannot be reached (${detail}); trying again.`);
    await deps.clock.sleep(1_000 * tries);
  }
}

/**
 * Pays one file with workers that run already, and takes the totals from the file itself: for the demo, whose
 * approver is the one who started it.
 */
export async function runBatch(
  file: string,
  payrun: Payrun,
  interrupted: AbortSignal,
): Promise<ExitCode> {
  const { ledger, deps } = payrun;
  const startedMs = deps.clock.monotonicMs();
  const batch = await takeIn(file, { total: [], wait: true }, payrun);
  const totals = totalsOf(batch);
  await approve(
    batch.id,
    { actor: actor(), contentDigest: batch.contentDigest, totals },
    { ledger },
  );
  const waited = await waitForBatch(batch.id, { ledger, clock: deps.clock, interrupted });
  const progress = await ledger.progressOf(batch.id);
  const now = (await ledger.findBatch({ id: batch.id })) ?? batch;
  print(
    resultTable(resultOf(now, progress, (deps.clock.monotonicMs() - startedMs) / 1000), progress),
  );
  await sayExceptions(batch.id, payrun);
  return codeAfter(waited, batch.id, () => exitCodeOf(progress));
}

/** Runs workers in this process until the batch has ended. */
async function work(batch: Batch, payrun: Payrun): Promise<Waited> {
  const { startWorkers } = await import("#workers/workers.ts");
  const { ledger, deps } = payrun;
  // Running the command again is a person's word that what stopped a lane is mended.
  await ledger.openLanes(batch.lanes.map(({ lane }) => lane));
  const interrupted = onInterrupt(
    "Stopping: what is on the wire is being recorded. Run the same command again to go on.",
  );
  const workers = startWorkers(payrun);
  try {
    return await waitForBatch(batch.id, { ledger, clock: deps.clock, interrupted });
  } finally {
    await workers.close();
  }
}

function codeAfter(waited: Waited, batchId: string, ended: () => ExitCode): ExitCode {
  switch (waited.kind) {
    case "ended":
      return ended();
    case "interrupted":
      return EXIT.interrupted;
    case "paused":
      say(
        `Batch ${batchId} was paused (${waited.reason ?? "no reason given"}). Go on with: payrun batch resume ${batchId}`,
      );
      return EXIT.heldOrInDoubt;
    case "stuck": {
      for (const { lane, reason } of waited.lanes) say(`${lane} is stopped: ${reason}`);
      say(
        "What is left was not sent and stays approved. Mend the cause, then run the same command again.",
      );
      const away = waited.lanes.every(({ reason }) => /out of reach/.test(reason));
      return away ? EXIT.unreachable : EXIT.heldOrInDoubt;
    }
  }
}

const EXCEPTIONS_MAX = 20;

async function sayExceptions(batchId: string, { database }: Payrun): Promise<void> {
  const { exceptionsOf } = await import("#ledger/story.ts");
  const { formatMoney } = await import("#money/format.ts");
  const exceptions = await exceptionsOf(database, batchId, EXCEPTIONS_MAX + 1);
  const shown = exceptions.slice(0, EXCEPTIONS_MAX);
  for (const { line, transactionCode, state, reason, money } of shown) {
    const amount = `${money.currency} ${formatMoney(money)}`;
    say(
      `line ${line}  ${transactionCode}  ${amount}  ${state}. ${reason ? reasonText(reason) : ""}`,
    );
  }
  if (exceptions.length > EXCEPTIONS_MAX) say(`and more: payrun batch report ${batchId}`);
}
