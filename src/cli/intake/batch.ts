import { printable } from "#base/invisible-characters.ts";
import type { Command } from "commander";
import { BATCH_STATES } from "#intake/batch/batch-lifecycle.ts";
import { circuitBreakerText, canaryLines } from "#cli/batch/circuit-breakers.ts";
import { CANARY_OPTION_AT_APPROVAL, readCanary } from "#cli/batch/canary.ts";
import {
  BATCH_ID,
  type Batches,
  secondsOf,
  type ShownBatch,
  withBatches,
} from "#cli/batch/batches.ts";
import { batchList } from "#cli/intake/batch-list.ts";
import { prioritySubcommands } from "#cli/intake/priority.ts";
import { batchFileSubcommands } from "#cli/intake/batch-files.ts";
import { compareSubcommand } from "#cli/approval/comparison.ts";
import { retryDeclinedSubcommand } from "#cli/payout/retry-batch.ts";
import { ACKNOWLEDGE_OPTION, NUMBERS_COMPARED } from "#cli/batch/confirmations.ts";
import { timeText } from "#base/time-text.ts";
import { plural, print, printAll, printJson, say } from "#cli/terminal/output.ts";
import { blockedText, resultOf, resultTable } from "#cli/batch/result.ts";
import { assertTotals, collect } from "#cli/terminal/totals.ts";
import { withServerOptions, type ServerFlags } from "#cli/terminal/server-options.ts";
import { systemClock } from "#base/clock.ts";

interface Flags extends ServerFlags {
  readonly json?: boolean;
  readonly reason?: string;
  readonly total?: readonly string[];
  readonly at?: string;
  readonly canary?: number;
  readonly numbersCompared?: boolean;
  readonly acknowledge?: readonly string[];
}

/** Note on commands that an API key may not run. */
const SAYS_WHERE =
  "with --server, the command prints the page where a user can do this (exit code 5)";

/** A step with one batch. */
type BatchStep = (id: string, flags: Flags, batches: Batches) => Promise<void>;

/** Adds a command about one batch. `json` describes its option for JSON. */
type AddStep = (name: string, text: string, run: BatchStep, json?: string) => Command;

/** Adds `payrun batch` to the program. */
export function batchCommand(program: Command): void {
  const batch = program.command("batch").description("upload, inspect and control batches");
  const on: AddStep = (name, text, run, json = "print JSON") =>
    withServerOptions(
      batch.command(name).argument("<id>", BATCH_ID).description(text).option("--json", json),
    ).action((id: string, flags: Flags) => withBatches(flags, (all) => run(id, flags, all)));

  batch.commandsGroup("Upload and prepare:");
  batchFileSubcommands(batch);
  on(
    "withdraw",
    "withdraw your batch from approval; it becomes a draft again",
    withdrawBatch,
  ).requiredOption("--reason <text>", "reason, which the approvers see");

  batch.commandsGroup("Review and approve:");
  compareSubcommand(batch);
  on("approve", `approve a batch by confirming its totals; ${SAYS_WHERE}`, approveBatch)
    .option(
      "--total <CUR=AMOUNT>",
      "total for one currency; repeatable (default: prompts on the terminal)",
      collect,
    )
    .option(...NUMBERS_COMPARED)
    .option(...ACKNOWLEDGE_OPTION, collect)
    .option(
      "--at <time>",
      "send time, such as 2026-12-31 09:00 Asia/Kolkata (default: immediately)",
    )
    .option(...CANARY_OPTION_AT_APPROVAL, readCanary);
  on(
    "allow-duplicates",
    `allow a batch's exact duplicates, with a reason; another person must then approve the batch; ${SAYS_WHERE}`,
    allowRepeats,
  ).requiredOption("--reason <text>", "why the duplicates are intentional");
  on(
    "release-quarantine",
    `release a batch from quarantine so that it can be approved and sent; ${SAYS_WHERE}`,
    releaseQuarantine,
  ).requiredOption("--reason <text>", "how you know that the batch was not paid");

  batch.commandsGroup("Track:");
  withServerOptions(
    batch.command("list").description("list the 200 newest batches").option("--json", "print JSON"),
  ).action((flags: Flags) => withBatches(flags, (batches) => list(flags, batches)));
  on("show", "show a batch and the status of its payouts", show);
  on(
    "watch",
    "track a batch until it finishes; the exit codes are those of payrun pay",
    watchBatch,
  );
  on(
    "report",
    "print each row of the file and its result as CSV",
    report,
    "print one JSON line per row, including the file's columns, instead of CSV",
  );
  retryDeclinedSubcommand(batch);

  batch.commandsGroup("Control sending:");
  sendingSubcommands(batch, on);
}

/** Adds the commands that change when payouts are sent. */
function sendingSubcommands(batch: Command, on: AddStep): void {
  const steer = (name: string, text: string, run: BatchStep) =>
    on(name, text, run).option("--reason <text>", "reason (required with --server)");

  steer("reschedule", "reschedule a batch to a later send time", reschedule).requiredOption(
    "--at <time>",
    "new send time, such as 2026-12-31 09:00 Asia/Kolkata",
  );
  steer("send-now", `send a scheduled or held-back batch now; ${SAYS_WHERE}`, sendBatchNow);
  steer("pause", "pause a batch; payrun keeps tracking payouts already sent", pauseBatch);
  steer("resume", "resume a paused batch; its stopped lanes stay stopped", resumeBatch);
  on(
    "release",
    "send a batch's remaining payouts even though its canary has not settled",
    releaseBatch,
  ).requiredOption("--reason <text>", "reason");
  prioritySubcommands(batch);
  steer("cancel", "cancel a batch's unsent payouts", cancelBatch);
}

async function list({ json }: Flags, batches: Batches): Promise<void> {
  const documents = await batches.list();
  if (json) return printJson(documents);
  if (documents.length === 0)
    return say("There are no batches yet. To create one: payrun batch create FILE");
  print(batchList(documents, process.stdout.columns));
}

const WAITS_FOR = {
  wait: "payrun will try to restart the lane automatically",
  person: "someone must fix the cause",
  answers: "the lane will restart automatically once the status of enough payouts is known",
} as const;

async function show(id: string, { json }: Flags, batches: Batches): Promise<void> {
  const shown = await batches.show(id);
  const { document, reason, priority, progress, stopped, send, canary, frozen, quarantine } = shown;
  const result = resultOf(document, progress, secondsOf(document));
  if (json) {
    const frozenBy = frozen?.reason ?? null;
    return printJson({
      ...document,
      ...result,
      reason,
      priority,
      send,
      stopped_lanes: stopped,
      canary,
      frozen: frozenBy,
      quarantine,
      archived: shown.archived,
    });
  }
  const { batch_id, state, name, file, rows, rejected, created_at } = document;
  const isBlocked = document.needs_duplicate_reason ?? false;
  print(
    `${batch_id}  ${isBlocked ? "blocked" : state}${reason ? ` (${printable(reason)})` : ""}  ${printable(name ?? file)}`,
  );
  if (name !== null) print(`file: ${printable(file)}`);
  print(`${plural(rows, "row")}, ${rejected} rejected; created ${timeText(created_at)}`);
  if (priority !== "normal") print(`priority: ${priority}`);
  print(resultTable(result, progress, isBlocked));
  if (shown.archived) print(archivedText(shown.archived));
  const { sendingText } = await import("#cli/batch/send-time.ts");
  const goes = sendingText(send, state, systemClock.nowMs());
  if (goes !== null) print(goes);
  if (state === "paused")
    print(`To continue: payrun batch ${nextOf(canary).replace("ID", batch_id)}`);
  if (isBlocked) print(blockedText(batch_id));
  canaryLines(canary).forEach((line) => print(line));
  if (frozen) print(frozen.says);
  if (quarantine.length > 0) print("The batch is in quarantine, so it cannot be approved or sent.");
  quarantine.forEach((cause) => print(`  ${printable(cause)}`));
  for (const { lane, reason: why, needs, retry_at: retryAt, breaker } of stopped) {
    const restart = retryAt && `payrun will try to restart the lane at ${timeText(retryAt)}`;
    print(`${lane} is stopped: ${printable(why)} (${restart ?? WAITS_FOR[needs]})`);
    if (breaker) print(circuitBreakerText(breaker));
  }
  const standstill = BATCH_STATES[state].final ? null : await batches.standstill();
  if (standstill !== null) print(standstill);
}

const nextOf = ({ lanes }: ShownBatch["canary"]): string =>
  lanes.some(({ state }) => state === "failed") ? "release ID --reason TEXT" : "resume ID";

async function watchBatch(id: string, { json }: Flags, batches: Batches): Promise<void> {
  const { watchBatch: watch } = await import("#cli/batch/watch.ts");
  process.exitCode = await watch(id, json === true, batches);
}

async function approveBatch(id: string, flags: Flags, batches: Batches) {
  const { total: totals = [], json, at, canary, numbersCompared = false } = flags;
  assertTotals(totals);
  const { momentIn, sendingText } = await import("#cli/batch/send-time.ts");
  await batches.approve(id, {
    totals,
    numbersCompared,
    acknowledge: flags.acknowledge ?? [],
    ...(canary !== undefined && { canary }),
    ...(at !== undefined && { at: momentIn(at) }),
  });
  const { send } = await batches.show(id);
  const goes = sendingText(send, "approved", systemClock.nowMs());
  await printResult(id, goes === null ? "approved" : `approved, ${goes}`, json, batches);
}

async function reschedule(id: string, { reason, json, at = "" }: Flags, batches: Batches) {
  const { momentIn } = await import("#cli/batch/send-time.ts");
  await batches.reschedule(id, momentIn(at), reason ?? null);
  await printResult(id, `rescheduled to ${at}`, json, batches);
}

async function sendBatchNow(id: string, { reason, json }: Flags, batches: Batches) {
  await batches.sendNow(id, reason ?? null);
  await printResult(id, "will be sent now if its rows still pass validation", json, batches);
}

async function allowRepeats(id: string, { reason = "", json }: Flags, batches: Batches) {
  await batches.allowExactDuplicates(id, reason);
  await printResult(
    id,
    "its exact duplicates are allowed; another person must approve it",
    json,
    batches,
  );
}

async function releaseQuarantine(id: string, { reason = "", json }: Flags, batches: Batches) {
  await batches.releaseQuarantine(id, reason);
  await printResult(id, "released from quarantine: it can be approved and sent", json, batches);
}

async function withdrawBatch(id: string, { reason = "", json }: Flags, batches: Batches) {
  await batches.withdraw(id, reason);
  await printResult(
    id,
    "withdrawn from approval: it is a draft, and its approvals no longer count",
    json,
    batches,
  );
}

async function pauseBatch(id: string, { reason, json }: Flags, batches: Batches) {
  await batches.pause(id, reason ?? null);
  await printResult(
    id,
    "paused: payrun will not send more payouts, but keeps tracking those already sent",
    json,
    batches,
  );
}

async function resumeBatch(id: string, { reason, json }: Flags, batches: Batches) {
  await batches.resume(id, reason ?? null);
  await printResult(id, "resumed", json, batches);
}

async function releaseBatch(id: string, { reason = "", json }: Flags, batches: Batches) {
  const lanes = await batches.release(id, reason);
  await printResult(
    id,
    `the other payouts in ${lanes.join(", ")} have been released`,
    json,
    batches,
  );
}

async function cancelBatch(id: string, { reason, json }: Flags, batches: Batches) {
  const cancelled = await batches.cancel(id, reason ?? null);
  await printResult(
    id,
    `cancelled ${plural(cancelled, "payout")} that had not been sent`,
    json,
    batches,
  );
}

async function printResult(id: string, words: string, json: boolean | undefined, batches: Batches) {
  if (json) printJson((await batches.show(id)).document);
  else print(`${id}: ${words}`);
}

async function report(id: string, { json }: Flags, batches: Batches): Promise<void> {
  const { archived } = await batches.show(id);
  await printAll(batches.report(id, json ? "jsonl" : "csv"));
  if (archived) say(`Archived rows have results, but no other cells. ${archivedText(archived)}`);
}

const archivedText = ({ payouts, files }: NonNullable<ShownBatch["archived"]>): string =>
  `The details of ${plural(payouts, "payout")} are only in the archive file ${files.join(", ")}. To read them: payrun archive show FILE --batch ID`;
