import { Argument, type Command } from "commander";
import { systemClock } from "#base/clock.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { timeText } from "#base/time-text.ts";
import { currentActor, print, printJson, table } from "#cli/terminal/output.ts";
import { localOnly, RUN_ON_LEDGER_MACHINE } from "#cli/terminal/server-options.ts";
import {
  deletesEarlier,
  RETENTION_DAYS_MAX,
  RETENTION_KIND_NAMES,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionPolicy,
} from "#integrity/retention.ts";

/** Adds `payrun retention` to the program. */
export function retentionCommand(program: Command): void {
  const retention = program
    .command("retention")
    .description("show and set how long each kind of data is kept");
  const local = (name: string) => localOnly(retention.command(name), RUN_ON_LEDGER_MACHINE);
  const kind = () => new Argument("<kind>", "kind of data").choices(RETENTION_KIND_NAMES);
  local("list")
    .description("list the rules, the legal hold and the last run")
    .option("--json", "print JSON")
    .action(list);
  local("set")
    .addArgument(kind())
    .argument("<days>", "number of days, or off to keep the data indefinitely")
    .description("create, change or remove a rule")
    .action((name: RetentionKind, days: string) =>
      change(({ rules, hold }) => ({ rules: { ...rules, [name]: daysOf(name, days) }, hold })),
    );
  local("hold")
    .requiredOption("--reason <text>", "reason for the legal hold")
    .description("start a legal hold: payrun deletes no data and erases no person")
    .action(({ reason }: { reason: string }) =>
      change(({ rules }) => ({ rules, hold: reason.trim() || "no reason" })),
    );
  local("release")
    .description("end the legal hold")
    .action(() => change(({ rules }) => ({ rules, hold: null })));
  local("run")
    .option("--dry-run", "count the rows, and delete nothing")
    .option("--json", "print JSON")
    .description("delete now what the rules no longer keep; a server does this every day")
    .action(run);
}

async function list({ json }: { readonly json?: boolean }): Promise<void> {
  const { lastRetentionRun, readRetention } = await import("#ledger/integrity/retention.ts");
  await withLedger(async ({ database }) => {
    const { rules, hold } = await readRetention(database);
    const ranAt = (await lastRetentionRun(database))?.toISOString() ?? null;
    if (json) return printJson({ rules, hold, ran_at: ranAt });
    print(
      table([
        ["kind", "days", "what"],
        ...RETENTION_KIND_NAMES.map((name) => [
          name,
          String(rules[name] ?? "off"),
          RETENTION_KINDS[name].keeps,
        ]),
      ]),
    );
    if (hold !== null) print(`Legal hold: ${hold}. payrun deletes no data and erases no person.`);
    print(`Last run: ${ranAt === null ? "none" : timeText(ranAt)}`);
  });
}

function daysOf(kind: RetentionKind, text: string): number | null {
  if (text === "off") return null;
  const days = Number(text);
  const { daysMin } = RETENTION_KINDS[kind];
  if (/^\d+$/.test(text) && days >= daysMin && days <= RETENTION_DAYS_MAX) return days;
  throw new CliError(
    EXIT.usage,
    `days "${text}": expected off, or a number from ${daysMin} to ${RETENTION_DAYS_MAX}. No changes were made.`,
  );
}

async function change(next: (policy: RetentionPolicy) => RetentionPolicy): Promise<void> {
  const { readRetention, writeRetention } = await import("#ledger/integrity/retention.ts");
  const { isSetUp } = await import("#ledger/people/pending-changes.ts");
  await withLedger(async ({ database }) => {
    await database.transaction().execute(async (transaction) => {
      const before = await readRetention(transaction);
      const after = next(before);
      if (deletesEarlier(before, after) && (await isSetUp(transaction)))
        throw new CliError(
          EXIT.conflict,
          "After this change, data can be deleted earlier, so two admins must agree: make it under Settings → Retention. No changes were made.",
        );
      const at = new Date(systemClock.nowMs());
      await writeRetention(transaction, after, { actor: currentActor(), at });
    });
  });
  await list({});
}

async function run({
  dryRun,
  json,
}: {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}): Promise<void> {
  const { countExpired } = await import("#ledger/integrity/retention.ts");
  const { runRetention } = await import("#flows/operations/run-retention.ts");
  await withLedger(async ({ database, ledger }) => {
    if (dryRun) return printRows(await countExpired(database), { json, verb: "would be deleted" });
    const done = await ledger.withLock("retention", async () => ({
      deleted: await runRetention(currentActor(), { ledger, clock: systemClock }),
    }));
    if (done === null)
      throw new CliError(EXIT.conflict, "A server is running the rules. No rows were deleted.");
    if (done.deleted === null)
      throw new CliError(
        EXIT.conflict,
        "There is a legal hold, or no rule deletes anything. No rows were deleted.",
      );
    printRows(done.deleted, { json, verb: "deleted" });
  });
}

function printRows(
  rows: Readonly<Partial<Record<RetentionKind, number>>>,
  { json, verb }: { readonly json: boolean | undefined; readonly verb: string },
): void {
  if (json) return printJson(rows);
  for (const kind of RETENTION_KIND_NAMES.filter((name) => RETENTION_KINDS[name].deletes))
    print(`${kind}: ${rows[kind] ?? 0} ${rows[kind] === 1 ? "row" : "rows"} ${verb}`);
}
