import type { Command } from "commander";
import { systemClock } from "#base/clock.ts";
import { archiveErrors, openedArchive, type WithFile } from "#cli/integrity/archive-file.ts";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import { withLedger } from "#cli/terminal/open.ts";
import { currentActor, plural, print, printJson, say, table } from "#cli/terminal/output.ts";
import { localOnly, RUN_ON_LEDGER_MACHINE } from "#cli/terminal/server-options.ts";
import { moneyText } from "#money/display.ts";
import type { StoredIn } from "#views/integrity/archives.ts";

interface CreateFlags {
  readonly until?: string;
  readonly year?: string;
  readonly out: string;
  readonly json?: boolean;
}

/** Adds `payrun archive` to the program. */
export function archiveCommand(program: Command): void {
  const archive = program
    .command("archive")
    .description("move the course of old payouts to signed files, and read the files");
  const local = (name: string) => localOnly(archive.command(name), RUN_ON_LEDGER_MACHINE);
  local("create")
    .description("write the finished batches of a period to files; the ledger keeps its rows")
    .option("--until <day>", "last day of the period, in UTC, such as 2024-12-31")
    .option("--year <year>", "the same as --until YEAR-12-31")
    .requiredOption("--out <folder>", "existing folder for the files")
    .option("--json", "print JSON")
    .action(create);
  local("list")
    .description("list the archives that the ledger knows")
    .option("--json", "print JSON")
    .action(list);
  local("verify")
    .argument("<file>", "archive file")
    .option("--key <key>", "public key, to verify the file without a ledger")
    .option("--json", "print JSON")
    .description("verify every byte of a file, and compare it with the audit log of the ledger")
    .action(verify);
  local("show")
    .argument("<file>", "archive file")
    .option("--batch <id>", "list the payouts of this batch")
    .option("--code <code>", "show this payout with its course")
    .option("--full", "show full account numbers and names")
    .option("--json", "print JSON")
    .description("read batches and payouts from a file")
    .action(async (path: string, flags) => {
      const { showArchive } = await import("#cli/integrity/archive-show.ts");
      return showArchive(path, flags);
    });
  local("detach")
    .argument("<file>", "archive file")
    .description("remove the archived rows from the ledger, after two admins have agreed")
    .action(detach);
  local("restore")
    .argument("<file>", "archive file")
    .description("put the removed rows of a file back into the ledger")
    .action(restore);
}

async function create({ until, year, out: folder, json }: CreateFlags): Promise<void> {
  const end = endOf(until ?? (year === undefined ? undefined : `${year}-12-31`));
  const { createArchives } = await import("#ledger/integrity/archive/create-archive.ts");
  const { OBSTACLES } = await import("#ledger/integrity/archive/candidates.ts");
  await withLedger(async ({ database, sealer }) => {
    const order = { folder, until: end, actor: currentActor() };
    const run = await archiveErrors(folder, () =>
      createArchives(order, { database, sealer, clock: systemClock }),
    );
    if (run === null) throw inUse();
    const { created, left } = run;
    if (json) return printJson({ created: created.map(createdDocument), left });
    for (const { fileName, batches, payouts, bytes } of created)
      print(
        `${fileName}  ${batchCount(batches)}  ${plural(payouts, "payout")}  ${megabytes(bytes)}`,
      );
    if (created.length === 0) print("No batch of this period can be archived.");
    for (const { obstacle, batches, example } of left)
      say(
        `Left in the ledger: ${batchCount(batches)}, such as ${example}: ${OBSTACLES[obstacle]}.`,
      );
    if (created.length > 0)
      say(
        "The ledger still has all rows. Next: payrun archive verify FILE, then payrun archive detach FILE",
      );
  });
}

const createdDocument = ({
  id,
  fileName,
  batches,
  payouts,
  bytes,
}: {
  readonly id: string;
  readonly fileName: string;
  readonly batches: number;
  readonly payouts: number;
  readonly bytes: number;
}) => ({ id, file: fileName, batches, payouts, bytes });

const batchCount = (count: number): string => `${count} ${count === 1 ? "batch" : "batches"}`;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The first moment after the period. */
function endOf(day: string | undefined): Date {
  const start = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day ?? "") && !Number.isNaN(start);
  if (!isDay || new Date(start).toISOString().slice(0, 10) !== day)
    throw new CliError(
      EXIT.usage,
      "Specify the period: --until 2024-12-31 or --year 2024. No changes were made.",
    );
  const end = new Date(start + 24 * 3_600_000);
  if (end.getTime() > systemClock.nowMs())
    throw new CliError(
      EXIT.usage,
      `The period ends on ${day}, which is not over yet. No changes were made.`,
    );
  return end;
}

const inUse = (): CliError =>
  new CliError(
    EXIT.conflict,
    "Another command is working on archives of this ledger. No changes were made.",
  );

async function list({ json }: { readonly json?: boolean }): Promise<void> {
  const { findArchives } = await import("#ledger/integrity/archive/registry.ts");
  const { storedIn } = await import("#views/integrity/archives.ts");
  await withLedger(async ({ database }) => {
    const archives = await findArchives(database);
    const states = archives.map((each) => ({
      id: each.id,
      file: each.fileName,
      until: each.until.toISOString(),
      batches: each.batches,
      payouts: each.payouts,
      rows: STORED[storedIn(each)],
      created_at: each.createdAt.toISOString(),
      created_by: each.createdBy,
    }));
    if (json) return printJson(states);
    if (states.length === 0) return print("The ledger has no archives.");
    print(
      table([
        ["id", "last day", "batches", "payouts", "rows", "file"],
        ...states.map((each) => [
          each.id,
          lastDayOf(each.until),
          String(each.batches),
          String(each.payouts),
          each.rows,
          each.file,
        ]),
      ]),
    );
  });
}

/** The last day of a period, from the first moment after it. */
const lastDayOf = (until: string): string =>
  new Date(Date.parse(until) - 1).toISOString().slice(0, 10);

const STORED: Readonly<Record<StoredIn, string>> = {
  ledger: "in the ledger",
  proposed: "in the ledger, removal proposed",
  agreed: "in the ledger, ready to be removed",
  detaching: "being removed",
  file: "only in the file",
};

async function verify(
  path: string,
  { key, json }: { key?: string; json?: boolean },
): Promise<void> {
  const show = async ({ archive }: WithFile, isKnown: boolean) => {
    await archiveErrors(path, () => archive.verify());
    const { id, until, totals, parts, log } = archive.manifest;
    if (json) return printJson({ id, until, totals, parts: parts.length, log });
    print(`The archive ${id} is valid${isKnown ? " and belongs to this ledger" : ""}.`);
    for (const { currency, state, payouts, amount } of totals)
      print(`${state}  ${plural(payouts, "payout")}  ${moneyText({ currency, amount })}`);
    print(`Root of the audit log: ${log.line}:${log.root}`);
  };
  if (key !== undefined) return openedArchive(path, [key], (file) => show(file, false));
  await withOwnArchive(path, (file) => show(file, true));
}

/** Opens the ledger, and an archive file of this ledger. */
async function withOwnArchive(
  path: string,
  work: (file: WithFile, ledger: OpenLedger) => Promise<void>,
): Promise<void> {
  const { whyForeign } = await import("#ledger/integrity/archive/work-archive.ts");
  await withLedger((ledger) =>
    openedArchive(path, ledger.sealer.publicKeys(), async (file) => {
      const why = await whyForeign(file.archive, ledger.database);
      if (why !== null)
        throw new CliError(
          EXIT.problems,
          `The archive does not belong to this ledger: ${why}. No changes were made.`,
        );
      await work(file, ledger);
    }),
  );
}

async function detach(path: string): Promise<void> {
  const { detachArchive } = await import("#ledger/integrity/archive/work-archive.ts");
  await withOwnArchive(path, async ({ archive }, { database }) => {
    await archiveErrors(path, () => archive.verify());
    const done = await archiveErrors(path, () =>
      detachArchive(archive, { actor: currentActor() }, { database, clock: systemClock }),
    );
    if (done === null) throw inUse();
    print(
      `The rows of ${plural(done.payouts, "payout")} are now only in the file. Keep the file and a copy for as long as you keep the ledger.`,
    );
    if (done.changedPayouts > 0)
      say(
        `The rows of ${plural(done.changedPayouts, "payout")} stay in the ledger, because a payout next to them has changed since. Create another archive for these payouts.`,
      );
  });
}

async function restore(path: string): Promise<void> {
  const { restoreArchive } = await import("#ledger/integrity/archive/work-archive.ts");
  await withOwnArchive(path, async ({ archive }, { database }) => {
    const done = await archiveErrors(path, () =>
      restoreArchive(archive, { actor: currentActor() }, { database, clock: systemClock }),
    );
    if (done === null) throw inUse();
    print(
      done.payouts === 0
        ? "The ledger has all rows of this archive."
        : `The rows of ${plural(done.payouts, "payout")} are in the ledger again.`,
    );
  });
}
