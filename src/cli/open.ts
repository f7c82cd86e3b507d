import { say } from "#cli/output.ts";
import { endsWithin } from "#clock.ts";
import type { Config } from "#config.ts";
import type { OpenLedger } from "#open-ledger.ts";
import type { Payrun } from "#wiring.ts";

const CLOSE_MS = 3_000;

type Variables = Readonly<Record<string, string>>;

/** Opens the ledger for one command, and closes it however the command ends. */
export async function withLedger(run: (open: OpenLedger) => Promise<void>): Promise<void> {
  const { readConfig } = await import("#config.ts");
  const { openLedger } = await import("#open-ledger.ts");
  await closing(await openLedger(readConfig()), run);
}

/** The same with everything that paying needs. */
export async function withPayrun(
  run: (payrun: Payrun) => Promise<void>,
  overrides: Variables = {},
  defaults: Variables = {},
): Promise<void> {
  const { readConfig } = await import("#config.ts");
  const { openPayrun } = await import("#wiring.ts");
  await closing(await openPayrun(readConfig(overrides, defaults)), run);
}

async function closing<T extends OpenLedger>(
  open: T,
  run: (open: T) => Promise<void>,
): Promise<void> {
  try {
    if (open.isNew) await sayNew(open);
    await run(open);
  } finally {
    // Whoever does not answer to a goodbye is not waited for.
    await endsWithin(CLOSE_MS, open.close());
  }
}

/** In another working folder a command finds another ledger, which would pay the same file once more. */
async function sayNew({ config }: OpenLedger): Promise<void> {
  say(await newLedgerText(config));
}

export async function newLedgerText(config: Config): Promise<string> {
  const { dataFolder } = await import("#config.ts");
  const place = config.DATABASE_URL ? "the database" : dataFolder(config);
  return `A new ledger was made in ${place}. It knows nothing of files that another one has paid.`;
}
