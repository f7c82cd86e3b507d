import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Command } from "commander";
import { BATCH_STATES, isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import type { Priority } from "#payout/priority.ts";
import { openCauses, type QuarantineCause } from "#intake/batch/quarantine.ts";
import { approveWithTotals, checkTotals } from "#cli/batch/approve.ts";
import { findingLines, problemSummary } from "#cli/batch/check-report.ts";
import { showWaitResult, sayFrozen, showResult } from "#cli/batch/batch-result.ts";
import { CANARY_OPTION, readCanary, setCanary } from "#cli/batch/canary.ts";
import { CliError, EXIT, type ExitCode } from "#cli/terminal/exit.ts";
import { quarantineText } from "#cli/terminal/frozen.ts";
import { assertFile, fileNameOf } from "#cli/terminal/file.ts";
import { withPayrun } from "#cli/terminal/open.ts";
import { currentActor, plural, say } from "#cli/terminal/output.ts";
import {
  type ReadingFlags,
  readingChoices,
  withReadingOptions,
} from "#cli/terminal/reading-options.ts";
import { fileProgress } from "#cli/intake/file-progress.ts";
import { PRIORITY_OPTION, readPriority } from "#cli/intake/priority.ts";
import { refuseChanged } from "#cli/intake/refuse-changed.ts";
import { exitCodeOf } from "#cli/batch/result.ts";
import { comparedNumbers, NUMBERS_COMPARED } from "#cli/batch/confirmations.ts";
import { interruptSignal } from "#cli/terminal/signals.ts";
import { assertTotals, collect } from "#cli/terminal/totals.ts";
import { localOnly } from "#cli/terminal/server-options.ts";
import { waitForBatch, type WaitResult } from "#cli/batch/wait.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import type { Payrun } from "#app/wiring.ts";

interface PayOptions extends ReadingFlags {
  readonly total?: readonly string[];
  readonly partial?: boolean;
  readonly canary?: number;
  readonly priority?: Priority;
  readonly numbersCompared?: boolean;
  readonly json?: boolean;
  readonly wait: boolean;
}

/** Adds `payrun pay` to the program. */
export function payCommand(program: Command): void {
  localOnly(
    withReadingOptions(program.command("pay")),
    "With a server: run payrun batch create FILE --request-approval, ask an approver to approve it, then run payrun batch watch ID.",
  )
    .argument("<file>", "a CSV file or an XLSX workbook")
    .description(
      "validate, approve and send a file, then wait until every payout reaches a final state",
    )
    .option(
      "--total <CUR=AMOUNT>",
      "total for one currency; repeatable (default: prompts on the terminal)",
      collect,
    )
    .option(
      "--partial",
      "skip rows with problems (default: send no payouts if any row has problems)",
    )
    .option(...NUMBERS_COMPARED)
    .option(...CANARY_OPTION, readCanary)
    .option(...PRIORITY_OPTION, readPriority)
    .option("--json", "print JSON")
    .option("--no-wait", "approve the batch and exit; running workers will send the payouts")
    .action(async (file: string, options: PayOptions) => {
      assertTotals(options.total);
      await assertFile(file);
      // The exit code until the result is known: if our pipe is closed, it must not be 0, which
      // means all settled.
      process.exitCode = EXIT.unexpected;
      const run = async (payrun: Payrun) => {
        process.exitCode = await pay(file, options, payrun);
      };
      // The progress bar replaces the log for a person who waits.
      await withPayrun(run, { defaults: { LOG_LEVEL: "error" }, waitMs: PAY_WAIT_MS });
    });
}

/** Milliseconds to wait for a database that is not ready at the start. */
const PAY_WAIT_MS = 30_000;

/**
 * Pays one file and prints the result. Running it again with the same file resumes the same batch.
 */
async function pay(file: string, options: PayOptions, payrun: Payrun): Promise<ExitCode> {
  const showing = { startedMs: payrun.deps.clock.monotonicMs(), json: options.json === true };
  const batch = await uploadFile(file, options, payrun);
  const leaveOut = options.partial === true && batch.rejected < batch.rows;
  if (batch.state === "needs_correction" && !leaveOut) {
    await showResult(batch, showing, payrun);
    return EXIT.problems;
  }
  if (batch.state === "cancelled") {
    throw new CliError(
      EXIT.conflict,
      `This file was already uploaded as batch ${batch.id}, which was cancelled. A file can be paid only once. To pay its rows, put them in a new file.`,
    );
  }
  if (batch.state === "paused") {
    throw new CliError(
      EXIT.conflict,
      `Batch ${batch.id} is paused (${batch.reason ?? "no reason given"}). To see why: payrun batch show ${batch.id}`,
    );
  }
  const causes = openCauses(await payrun.ledger.intake.quarantineOf(batch.id));
  if (causes.length > 0) return quarantined(batch, causes, options, showing, payrun);
  if (isBeforeApproval(batch.state)) {
    await refuseChanged(batch, payrun);
    const isCompared = options.numbersCompared === true;
    const compared = await comparedNumbers(batch.id, isCompared, payrun.database);
    if (options.wait) await reachGateway(payrun);
    await setCanary(batch, options.canary, payrun.ledger);
    await prioritize(batch, options.priority, payrun.ledger);
    const { sayPossibleDuplicates } = await import("#cli/batch/possible-duplicates.ts");
    await sayPossibleDuplicates(batch, payrun);
    const { sayOverrides } = await import("#cli/batch/overrides.ts");
    await sayOverrides(batch, payrun);
    const { sayMissed } = await import("#cli/batch/send-time.ts");
    await sayMissed(batch, new Date(payrun.deps.clock.nowMs()), payrun.database);
    // If it is already approved, another run of the same command was first.
    await approveWithTotals(batch, options.total ?? [], {
      ledger: payrun.ledger,
      leaveOut,
      compared,
    });
  } else {
    checkTotals(batch, options.total ?? []);
    const { canary, priority = batch.priority } = options;
    if (priority !== batch.priority) {
      say(
        `The batch is already approved, so its priority stays ${batch.priority}. To change it: payrun batch priority ${batch.id} ${priority}`,
      );
    }
    if (canary !== undefined) say("The batch is already approved, so its canary was not changed.");
  }

  if (!options.wait && BATCH_STATES[batch.state].final) {
    return exitCodeOf(await showResult(batch, showing, payrun));
  }
  if (!options.wait) {
    await openLanesOf(batch, payrun);
    await showResult(batch, showing, payrun);
    const freeze = await payrun.ledger.integrity.verify();
    if (freeze) return sayFrozen(freeze, await payrun.ledger.integrity.laneProgress());
    say(
      `Batch ${batch.id} is approved. Running workers will send it. To see its status: payrun batch show ${batch.id}`,
    );
    return EXIT.ok;
  }
  return showWaitResult(batch, await sendUntilFinished(batch, payrun), showing, payrun);
}

/**
 * A frozen ledger still queries the status of every payout in progress, including this batch's.
 */
async function quarantined(
  batch: Batch,
  causes: readonly QuarantineCause[],
  options: PayOptions,
  showing: Parameters<typeof showResult>[1],
  payrun: Payrun,
): Promise<ExitCode> {
  if (options.wait && (await payrun.ledger.integrity.verify())?.since)
    await sendUntilFinished(batch, payrun);
  await showResult(batch, showing, payrun);
  say(quarantineText(batch.id, causes));
  return EXIT.heldOrInDoubt;
}

/**
 * Only while the batch waits for approval. After that, `batch priority` changes it, with a reason.
 */
async function prioritize(
  { id: batchId, priority: before }: Batch,
  priority: Priority | undefined,
  ledger: Ledger,
): Promise<void> {
  if (priority === undefined || priority === before) return;
  await ledger.payout.setPriority({
    batchId,
    priority,
    reason: "set with payrun pay",
    actor: currentActor(),
  });
}

/** Returns the batch of the file in the ledger: a new one, or the existing one. */
export async function uploadFile(
  file: string,
  options: Pick<PayOptions, "partial" | keyof ReadingFlags>,
  payrun: Payrun,
): Promise<Batch> {
  const flow = await import("#flows/intake/upload.ts");
  const { ledger, keyring, rows } = payrun;
  const progress = fileProgress((await stat(file)).size);
  const upload = {
    fileName: fileNameOf(file),
    open: () => progress.count(createReadStream(file)),
    actor: currentActor(),
    choices: readingChoices(options),
  };
  const taken = await flow
    .uploadFile(upload, true, { ledger, keyring, rows })
    .finally(progress.clear);
  if (!taken.ok) {
    say(problemSummary(taken.error));
    throw new CliError(
      EXIT.problems,
      `${file} is not a valid payout file. The file was not stored.`,
    );
  }
  const { batch, isNew } = taken.value;
  if (batch.facts.notes.length > 0) say(problemSummary(batch.facts.notes));
  const { findingsOf } = await import("#ledger/intake/batch-findings.ts");
  const findings = await findingsOf(payrun.database, payrun.sealer, batch.id);
  if (findings.length > 0) say(findingLines(findings).join("\n"));
  if (!isNew)
    say(`This file was already uploaded as batch ${batch.id} (${BATCH_STATES[batch.state].word}).`);
  if (batch.state !== "needs_correction") return batch;

  const good = batch.rows - batch.rejected;
  if (options.partial && good > 0) {
    say(
      `${plural(batch.rejected, "row")} with problems left out, ${plural(good, "row")} remaining.`,
    );
  } else {
    say(
      `There are problems in ${batch.rejected} of ${plural(batch.rows, "row")}, so no payouts were sent. Correct the source and save the file again` +
        (good > 0
          ? `, or skip these rows with --partial: ${plural(good, "row")} would be paid.`
          : "."),
    );
  }
  return batch;
}

const REACH_TRIES = 5;

/** No batch is approved while the gateway cannot be reached. */
async function reachGateway({ gateway, deps, config }: Payrun): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { reachable, detail } = await gateway.probe();
    if (reachable) return;
    if (tries === REACH_TRIES) {
      throw new CliError(
        EXIT.unreachable,
        `The gateway at ${config.GATEWAY_URL} cannot be reached: ${detail}. No payouts were approved or sent. Run the same command again when the gateway is reachable.`,
      );
    }
    say(`The gateway cannot be reached (${detail}); retrying.`);
    await deps.clock.sleep(1_000 * tries);
  }
}

/** Runs workers in this process until the batch has finished. */
async function sendUntilFinished(batch: Batch, payrun: Payrun): Promise<WaitResult> {
  const { startWorkers } = await import("#workers/workers.ts");
  const { startHeartbeat } = await import("#workers/heartbeat.ts");
  const { ledger, deps } = payrun;
  await openLanesOf(batch, payrun);
  const interrupted = interruptSignal(
    "payrun will stop once it has recorded the outcome of each request in progress. To continue, run the same command again.",
  );
  const workers = startWorkers(payrun);
  const pulse = startHeartbeat(payrun, workers);
  try {
    const { clock } = deps;
    return await waitForBatch(batch.id, { ledger, clock, interrupted, queue: payrun.queues });
  } finally {
    await workers.close();
    await pulse.close();
  }
}

/** By running the command again, a person confirms that the cause of a stop is fixed. */
const openLanesOf = ({ id, lanes }: Batch, { ledger }: Payrun): Promise<readonly string[]> =>
  ledger.payout.openLanes(
    lanes.map(({ lane }) => lane),
    { actor: currentActor(), reason: `batch ${id} continued with payrun pay` },
  );
