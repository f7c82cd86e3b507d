import { finishesWithin } from "#base/clock.ts";
import { createApp } from "#http/app/app.ts";
import { type ServerDeps, serverDeps } from "#views/deps.ts";
import { type SimulatorWatch, watchSimulator } from "#app/simulator-watch.ts";
import { readCallback, handleCallback } from "#flows/payout/callback.ts";
import { receiveDepositCallback } from "#flows/deposit/callback.ts";
import { openMetricsPort, processHealth } from "#composition/process-health.ts";
import { startHeartbeat } from "#workers/heartbeat.ts";
import { operationsOverview } from "#views/operations/overview.ts";
import { createMailer } from "#notification/mail.ts";
import { startNotifier } from "#workers/notifier.ts";
import { startWorkers, type Workers } from "#workers/workers.ts";
import type { Payrun } from "#app/wiring.ts";

/** A running HTTP server, with its notifier, and workers unless disabled. */
export interface Server {
  readonly url: string;
  close(): Promise<void>;
}

const WEBHOOK_TIMEOUT_MS = 15_000;
/** Milliseconds for requests and notices in progress to finish when the server stops. */
const HTTP_CLOSE_MS = 10_000;

/** Starts HTTP, and workers unless disabled. */
export async function startServer(
  payrun: Payrun,
  {
    workers: withWorkers,
    environment,
  }: {
    readonly workers: boolean;
    /** Absent: derived from the gateway's address and answer. */
    readonly environment?: ServerDeps["environment"];
  },
): Promise<Server> {
  const { config, deps, ledger, log, meter } = payrun;
  const { clock } = deps;

  let workers: Workers | null = null;
  const health = processHealth(payrun, () => workers);
  let simulator: SimulatorWatch | null = null;
  const dashboard = serverDeps(payrun, environment, () => simulator?.isSimulator() ?? false);
  const app = createApp({
    log,
    dashboard,
    openCallback(body) {
      const hint = readCallback(body, deps);
      if (hint === null) return null;
      return async () => {
        const received = await handleCallback(hint, deps, (code, facts) =>
          receiveDepositCallback(code, facts, payrun.deposits),
        );
        meter.count("callbacks");
        if (received === "stray") meter.count("stray_callbacks");
      };
    },
    health,
  });
  const metrics = await openMetricsPort(payrun, health);
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  if (withWorkers) workers = startWorkers(payrun);
  const pulse = startHeartbeat(payrun, workers);
  const notifier = startNotifier(
    {
      ledger: payrun.ledger,
      clock,
      alarms: async () =>
        (await operationsOverview(dashboard)).alarms.filter(({ level }) => level !== "info"),
      mailer: config.SMTP_URL ? createMailer(config.SMTP_URL, config.MAIL_FROM) : null,
      webhooks: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, timeoutMs: WEBHOOK_TIMEOUT_MS },
      dashboardUrl: config.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    },
    { log, withLock: (lock, work) => ledger.withLock(lock, work) },
  );
  if (environment === undefined && dashboard.environment === "live")
    simulator = await watchSimulator(config.GATEWAY_URL);
  return {
    url,
    async close() {
      simulator?.close();
      const told = Promise.all([notifier.close(), app.close()]);
      // A failure is handled below, once the requests in progress are recorded.
      told.catch(() => {});
      await workers?.close();
      if (!(await finishesWithin(HTTP_CLOSE_MS, told)))
        log.warn("stopped in the middle of a request");
      await pulse.close();
      await metrics?.close();
    },
  };
}
