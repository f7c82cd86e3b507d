import type { Command } from "commander";
import { BATCH_STATES } from "#batch/lifecycle.ts";
import { systemClock } from "#clock.ts";
import { CliError, EXIT } from "#cli/exit.ts";
import { frozenText } from "#cli/frozen.ts";
import { withLedger } from "#cli/open.ts";
import { actor, print, printJson, table } from "#cli/output.ts";
import { stopsOf } from "#cli/stops.ts";
import { collect } from "#cli/totals.ts";
import { resultOf, resultTable, totalTexts } from "#cli/result.ts";
import type { ControlRefusal } from "#flows/control.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { Result } from "#result.ts";
import type { OpenLedger } from "#wiring.ts";

interface Flags {
  readonly json?: boolean;
  readonly reason?: string;
  readonly total?: readonly string[];
}

export function batchCommand(program: Command): void {
  const batch = program.command("batch").description("look at batches and steer them");
  const on = (
    name: string,
    text: string,
    run: (id: string, flags: Flags, open: OpenLedger) => Promise<void>,
    json = "print JSON",
  ) =>
    batch
      .command(name)
      .argument("<id>")
      .description(text)
      .option("--json", json)
      .action((id: string, flags: Flags) => withLedger((open) => run(id, flags, open)));

  batch
    .command("list")
    .description("the newest batches")
    .option("--json", "print JSON")
    .action((flags: Flags) => withLedger((open) => list(flags, open)));
  on("show", "what became of a batch", show);
  on("approve", "approve a batch with its totals", approveBatch).option(
    "--total <CUR=AMOUNT>",
    "what the payouts of a currency come to; once per currency",
    collect,
    [],
  );
  on("pause", "send nothing more; what was sent is still followed", pauseBatch).option(
    "--reason <text>",
    "why",
  );
  on("resume", "go on with a paused batch, and open its stopped lanes", resumeBatch);
  on("cancel", "cancel what has not been sent", cancelBatch).option("--reason <text>", "why");
  on(
    "report",
    "CSV: the rows of the file and what became of each",
    report,
    "print one line of JSON per row instead, with the columns of the file under their own names",
  );
}

async function list({ json }: Flags, { database }: OpenLedger): Promise<void> {
  const { listBatches } = await import("#ledger/batches.ts");
  const batches = await listBatches(database);
  if (json) return printJson(batches.map(documentOf));
  const rows = batches.map((batch) => [
    batch.id,
    batch.state,
    String(batch.rows),
    Object.entries(totalTexts(batch))
      .map((total) => total.join(" "))
      .join(", "),
    batch.createdAt.toISOString(),
    batch.fileName,
  ]);
  print(table([["batch", "state", "rows", "totals", "taken in", "file"], ...rows], new Set([2])));
}

const WAITS_FOR = {
  wait: "tried again by itself",
  person: "needs a person",
  answers: "opens when the gateway has been asked about them",
} as const;

async function show(id: string, { json }: Flags, { ledger }: OpenLedger): Promise<void> {
  const batch = await found(id, ledger);
  const [progress, lanes, freeze] = await Promise.all([
    ledger.progressOf(id),
    stopsOf(
      batch.lanes.map(({ lane }) => lane),
      ledger,
    ),
    ledger.verify(),
  ]);
  const endMs = batch.finishedAt?.getTime() ?? systemClock.nowMs();
  const seconds = batch.approvedAt ? (endMs - batch.approvedAt.getTime()) / 1000 : 0;
  const result = resultOf(batch, progress, seconds);
  if (json)
    return printJson({
      ...documentOf(batch),
      ...result,
      stopped_lanes: lanes,
      frozen: freeze?.reason ?? null,
    });
  print(
    `${batch.id}  ${batch.state}${batch.reason ? ` (${batch.reason})` : ""}  ${batch.fileName}`,
  );
  print(
    `${batch.rows} rows, ${batch.rejected} left out or wrong; taken in ${batch.createdAt.toISOString()}`,
  );
  print(resultTable(result, progress));
  if (freeze && !BATCH_STATES[batch.state].final) print(frozenText(freeze));
  for (const { lane, reason, needs, retryAt } of lanes) {
    const next = retryAt ? `tried again at ${retryAt.toISOString()}` : WAITS_FOR[needs];
    print(`${lane} is stopped: ${reason} (${next})`);
  }
}

const documentOf = (batch: Batch) => ({
  batch_id: batch.id,
  state: batch.state,
  file: batch.fileName,
  digest: batch.digest,
  content_digest: batch.contentDigest,
  rows: batch.rows,
  rejected: batch.rejected,
  totals: totalTexts(batch),
  created_at: batch.createdAt.toISOString(),
  approved_at: batch.approvedAt?.toISOString() ?? null,
  finished_at: batch.finishedAt?.toISOString() ?? null,
});

async function approveBatch(
  id: string,
  { total = [], json }: Flags,
  { ledger }: OpenLedger,
): Promise<void> {
  const { approveWithTotals } = await import("#cli/approve.ts");
  orThrow(id, "approved", await approveWithTotals(await found(id, ledger), total, { ledger }));
  await tell(id, "approved", json, ledger);
}

async function pauseBatch(
  id: string,
  { reason, json }: Flags,
  { ledger }: OpenLedger,
): Promise<void> {
  const { pause } = await import("#flows/control.ts");
  orThrow(
    id,
    "paused",
    await pause({ batchId: id, actor: actor(), reason: reason ?? null }, ledger),
  );
  await tell(id, "paused: nothing more is sent, what was sent is still followed", json, ledger);
}

async function resumeBatch(id: string, { json }: Flags, { ledger }: OpenLedger): Promise<void> {
  const { resume } = await import("#flows/control.ts");
  const resumed = await resume({ batchId: id, actor: actor(), reason: null }, ledger);
  const { lanes } = orThrow(id, "resumed", resumed);
  await tell(
    id,
    lanes.length > 0 ? `goes on; opened ${lanes.join(", ")}` : "goes on",
    json,
    ledger,
  );
}

async function cancelBatch(
  id: string,
  { reason, json }: Flags,
  { ledger }: OpenLedger,
): Promise<void> {
  const { cancel } = await import("#flows/control.ts");
  const order = { batchId: id, actor: actor(), reason: reason ?? null };
  const { cancelled } = orThrow(id, "cancelled", await cancel(order, ledger));
  await tell(id, `${cancelled} payouts that were not sent are cancelled`, json, ledger);
}

async function tell(
  id: string,
  words: string,
  json: boolean | undefined,
  ledger: OpenLedger["ledger"],
): Promise<void> {
  const batch = await found(id, ledger);
  if (json) printJson(documentOf(batch));
  else print(`${id}: ${words}`);
}

async function report(
  id: string,
  { json }: Flags,
  { database, sealer, ledger }: OpenLedger,
): Promise<void> {
  const { reportRows } = await import("#ledger/batch-rows.ts");
  const { writeReport } = await import("#cli/report.ts");
  const batch = await found(id, ledger);
  await writeReport(batch, reportRows(database, sealer, id), json === true);
}

async function found(id: string, ledger: OpenLedger["ledger"]): Promise<Batch> {
  const batch = await ledger.findBatch({ id });
  if (!batch) throw new CliError(EXIT.notFound, `There is no batch ${id}. See: payrun batch list`);
  return batch;
}

function orThrow<T>(id: string, wish: string, result: Result<T, ControlRefusal>): T {
  if (result.ok) return result.value;
  throw refused(id, wish, result.error);
}

function refused(id: string, wish: string, error: ControlRefusal): CliError {
  switch (error.kind) {
    case "not_found":
      return new CliError(EXIT.notFound, `There is no batch ${id}. See: payrun batch list`);
    case "wrong_state":
      return new CliError(EXIT.conflict, `Batch ${id} is ${error.state} and cannot be ${wish}.`);
    case "frozen":
      return new CliError(
        EXIT.conflict,
        `Batch ${id} is not ${wish}: the ledger is frozen, and may not know what was sent of it. See: payrun doctor`,
      );
  }
}
