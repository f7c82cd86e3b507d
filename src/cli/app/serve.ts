import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import { withPayrun } from "#cli/terminal/open.ts";
import { say } from "#cli/terminal/output.ts";
import { setupUrl } from "#cli/people/user.ts";
import { endsWithin } from "#base/clock.ts";
import { aborted, onInterrupt } from "#cli/terminal/signals.ts";
import { CONNECTIONS_OF_BOTH } from "#app/connections.ts";
import type { Workers } from "#workers/workers.ts";
import type { Payrun } from "#app/wiring.ts";

export function serveCommands(program: Command): void {
  program
    .command("serve")
    .description("run the HTTP server and workers in one process")
    .option("--port <port>", "port to listen on (default: PORT, otherwise 3000)")
    .option("--no-workers", "run the HTTP server only")
    .action(({ port, workers }: { port?: string; workers: boolean }) =>
      withPayrun(
        async (payrun) => {
          setFlagsFromString(GARBAGE_MAX);
          const interrupted = onInterrupt(ENDING);
          const server = await startServer(payrun, { workers });
          try {
            say(`payrun is listening at ${server.url}${workers ? ", workers are running" : ""}`);
            await sayFirstStep(payrun, server);
            await aborted(interrupted);
          } finally {
            await server.close();
          }
        },
        {
          overrides: port === undefined ? {} : { PORT: port },
          defaults: workers ? { DATABASE_CONNECTIONS: String(CONNECTIONS_OF_BOTH) } : {},
          works: workers,
          waitMs: START_WAIT_MS,
        },
      ),
    );

  program
    .command("worker")
    .description("run workers only, on any number of machines")
    .action(() =>
      withPayrun(
        async (payrun) => {
          const { startWorkers } = await import("#workers/workers.ts");
          const { startPulse } = await import("#workers/pulse.ts");
          const interrupted = onInterrupt(ENDING);
          const workers = startWorkers(payrun);
          const pulse = startPulse(payrun, workers);
          say("workers are running");
          await aborted(interrupted);
          await workers.close();
          await pulse.close();
        },
        { waitMs: START_WAIT_MS },
      ),
    );
}

/**
 * Milliseconds to wait for a database that is not ready at the start, for example after a reboot.
 */
const START_WAIT_MS = 120_000;

/**
 * Tells the first admin where to begin. A running server continues even if the database has just
 * become unavailable.
 */
async function sayFirstStep(payrun: Payrun, { url }: Server): Promise<void> {
  try {
    const setup = await setupUrl(payrun, payrun.config.PUBLIC_URL ? undefined : url);
    if (setup)
      say(
        `There are no users yet. To create the first admin, open this link within 24 hours: ${setup}`,
      );
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    say(
      `payrun could not check whether any users exist (${words}). If none exist yet, run: payrun user setup-link`,
    );
  }
}

/**
 * Limits garbage to half the size of the live heap, instead of three times its size as Node does.
 * Otherwise the server would keep the memory of a large upload (measured over 100,000 rows: it grew
 * by 93 MB instead of 174).
 */
const GARBAGE_MAX = "--heap-growing-percent=50";

const ENDING = "Stopping once the requests in progress are recorded.";

export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Age in milliseconds of the last sweep from which the process is not ready: it cannot see its
 * work.
 */
const SWEEP_AGE_MAX_MS = 60_000;

const WEBHOOK_TIMEOUT_MS = 15_000;
/** For requests in progress when the server is told to stop, and for notices. */
const HTTP_CLOSE_MS = 10_000;

/** Starts HTTP, and workers unless disabled. */
export async function startServer(
  payrun: Payrun,
  {
    workers: withWorkers,
    environment,
  }: { readonly workers: boolean; readonly environment?: "simulated" },
): Promise<Server> {
  const { createApp } = await import("#http/app/app.ts");
  const { deskOf } = await import("#views/deps.ts");
  const { hintIn, receiveHint } = await import("#flows/payout/callback.ts");
  const { hearOfDeposit } = await import("#flows/deposit/callback.ts");
  const { databaseHealth } = await import("#ledger/store/health.ts");
  const { startPulse } = await import("#workers/pulse.ts");
  const { lookOver } = await import("#views/operations/overview.ts");
  const { createMailer } = await import("#notification/mail.ts");
  const { startNotifier } = await import("#workers/notifier.ts");
  const { startWorkers } = await import("#workers/workers.ts");
  const { config, deps, ledger, log, meter } = payrun;
  const { clock } = deps;

  const askDatabase = databaseHealth(payrun.database, clock);
  const startedMs = clock.monotonicMs();
  let workers: Workers | null = null;
  const desk = deskOf(payrun, environment);
  const app = createApp({
    log,
    desk,
    openCallback(body) {
      const hint = hintIn(body, deps);
      if (hint === null) return null;
      return async () => {
        const received = await receiveHint(hint, deps, (code, facts) =>
          hearOfDeposit(code, facts, payrun.deposits),
        );
        meter.count("callbacks");
        if (received === "stray") meter.count("stray_callbacks");
      };
    },
    health: async () => {
      const problems = await askDatabase();
      const sweptMs = workers ? (workers.lastSweepMs() ?? startedMs) : clock.monotonicMs();
      if (clock.monotonicMs() - sweptMs > SWEEP_AGE_MAX_MS) problems.push("no sweep for a minute");
      return problems;
    },
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  if (withWorkers) workers = startWorkers(payrun);
  const pulse = startPulse(payrun, workers);
  const notifier = startNotifier(
    {
      database: payrun.database,
      sealer: payrun.sealer,
      clock,
      alarms: async () => (await lookOver(desk)).alarms.filter(({ level }) => level !== "info"),
      mailer: config.SMTP_URL ? createMailer(config.SMTP_URL, config.MAIL_FROM) : null,
      webhooks: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, timeoutMs: WEBHOOK_TIMEOUT_MS },
      deskUrl: config.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    },
    { log, alone: (lock, work) => ledger.alone(lock, work) },
  );
  return {
    url,
    async close() {
      const told = Promise.all([notifier.close(), app.close()]);
      // A failure is handled below, once the requests in progress are recorded.
      told.catch(() => {});
      await workers?.close();
      if (!(await endsWithin(HTTP_CLOSE_MS, told))) log.warn("stopped in the middle of a request");
      await pulse.close();
    },
  };
}
