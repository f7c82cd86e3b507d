import { say } from "#cli/terminal/output.ts";
import { finishesWithin, systemClock } from "#base/clock.ts";
import type { Config } from "#app/config.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import type { Payrun } from "#app/wiring.ts";

const CLOSE_MS = 3_000;

type Variables = Readonly<Record<string, string>>;

/** Opens the ledger for one command, and closes it however the command ends. */
export async function withLedger<Answer>(
  run: (open: OpenLedger) => Promise<Answer>,
): Promise<Answer> {
  const { readConfig } = await import("#app/config.ts");
  const { openLedger } = await import("#app/open-ledger.ts");
  return runAndClose(await openLedger(readConfig()), run);
}

interface Opening {
  readonly overrides?: Variables;
  readonly defaults?: Variables;
  /**
   * True if this process sends payouts and queries their status.
   * @default true
   */
  readonly works?: boolean;
  /**
   * Milliseconds to wait for a database that is starting, full or unreachable.
   * @default 0
   */
  readonly waitMs?: number;
}

/** Opens everything that paying needs for one command, and closes it. */
export async function withPayrun(
  run: (payrun: Payrun) => Promise<void>,
  { overrides = {}, defaults = {}, works = true, waitMs = 0 }: Opening = {},
): Promise<void> {
  const { readConfig } = await import("#app/config.ts");
  const { openPayrun } = await import("#app/wiring.ts");
  const config = readConfig(overrides, defaults);
  await runAndClose(await openWhenReady(() => openPayrun(config, works), waitMs), run);
}

const RETRY_MS = 1_000;
const RETRY_MS_MAX = 5_000;

/** Opens it repeatedly until the database is ready. Each new reason is printed once. */
async function openWhenReady<Open>(open: () => Promise<Open>, waitMs: number): Promise<Open> {
  const { whyNotReady } = await import("#ledger/store/outage.ts");
  const deadlineMs = systemClock.monotonicMs() + waitMs;
  let printed = "";
  for (let pauseMs = RETRY_MS; ; pauseMs = Math.min(pauseMs * 2, RETRY_MS_MAX)) {
    try {
      const opened = await open();
      if (printed) say("The database is available now.");
      return opened;
    } catch (error) {
      const leftMs = deadlineMs - systemClock.monotonicMs();
      const reason = whyNotReady(error);
      if (reason === null || leftMs <= 0) throw error;
      const words = `${reason}. payrun is not sending payouts in the meantime.`;
      if (words !== printed) {
        say(`${words} Retrying for up to ${Math.ceil(leftMs / 1_000)} s; press Ctrl-C to stop.`);
      }
      printed = words;
      await systemClock.sleep(Math.min(pauseMs, leftMs));
    }
  }
}

async function runAndClose<T extends OpenLedger, Answer>(
  open: T,
  run: (open: T) => Promise<Answer>,
): Promise<Answer> {
  try {
    if (open.isNew) await sayNewLedger(open);
    return await run(open);
  } finally {
    // Does not wait for peers that never answer a closing connection.
    await finishesWithin(CLOSE_MS, open.close());
  }
}

/** In another working folder a command uses another ledger, which would pay the same file again. */
async function sayNewLedger({ config }: OpenLedger): Promise<void> {
  say(await newLedgerText(config));
}

/** Returns the notice that a new, empty ledger was created, and where. */
export async function newLedgerText(config: Config): Promise<string> {
  const { dataFolder } = await import("#app/config.ts");
  const place = config.DATABASE_URL ? "the database" : dataFolder(config);
  return `A new, empty ledger was created in ${place}. It does not recognise files that were paid from another ledger.`;
}
