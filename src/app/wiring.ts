import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { bankDays } from "#app/bank-days.ts";
import { systemClock } from "#base/clock.ts";
import { circuitBreakersOf, type Config, ConfigError, rowSettings } from "#app/config.ts";
import { gatewayConfig } from "#app/gateway-config.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { recheckBatch } from "#flows/approval/recheck-batch.ts";
import type { PayDeps } from "#flows/deps.ts";
import { SlowStart } from "#flows/slow-start.ts";
import { RequestSlots } from "#flows/request-slots.ts";
import { writeResults } from "#flows/feed/write-results.ts";
import { tick } from "#flows/schedule/tick.ts";
import { random } from "#base/ids.ts";
import { openFoldersIn } from "#schedule/folder/watched-folder.ts";
import type { OpenInbox } from "#schedule/folder/inbox.ts";
import { createGatewayClient, type GatewayClient } from "#gateway/client.ts";
import { type Keyring, makeKeyring } from "#gateway/wire/keyring.ts";
import { laneOf } from "#payout/payout.ts";
import { TrafficMeter, withMeter } from "#gateway/meter.ts";
import { openTelemetry } from "#app/open-telemetry.ts";
import { JobCounts } from "#jobs/job-counts.ts";
import { JobProducer, type QueueEngine } from "#jobs/queue.ts";
import { TICK_MS, tickJob } from "#jobs/tick.ts";
import { saveCheckpoint } from "#ledger/integrity/audit-checkpoint.ts";
import {
  type HeartbeatReport,
  recordHeartbeat,
  removeProcess,
} from "#ledger/operations/throughput-samples.ts";
import { rewriteNextTerms } from "#ledger/erasure/rewrite-terms.ts";
import { dailyTotals } from "#app/daily-totals.ts";
import { messageOf } from "#base/log.ts";
import { assertKey, connectionsOf, type OpenLedger, openLedger } from "#app/open-ledger.ts";
import { callbackUrlOf } from "#app/row-overrides.ts";
import { timingsOf } from "#payout/resend.ts";
import type { BankDays } from "#schedule/cut-offs.ts";
import { build, version } from "#base/version.ts";
import type { TickJob } from "#app/ticker.ts";

/**
 * All components of a process. They are created only here, except that app/open-ledger.ts also
 * creates the ledger alone.
 */
export interface Payrun extends OpenLedger {
  readonly gateway: GatewayClient;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  readonly bankDays: BankDays;
  readonly inboxOf: OpenInbox;
  readonly engine: QueueEngine;
  /** Dependencies of the payout flows. */
  readonly deps: PayDeps;
  /** Dependencies of the deposit flows. */
  readonly deposits: DepositDeps;
  /** Periodic tasks, and how the queue is asked to run them. */
  readonly ticks: TickJob;
  /** Access to the queues for inspection. */
  readonly queues: JobProducer;
  /** Counts the traffic to and from the gateway. */
  readonly meter: TrafficMeter;
  readonly jobCounts: JobCounts;
  /** Reports the state of this process to the others. */
  readonly presence: { beat(now: HeartbeatReport): Promise<void>; leave(): Promise<void> };
  /** Abort it to stop claiming. */
  readonly stop: AbortController;
}

/**
 * Opens the gateway client with its credentials. It sends nothing.
 * @throws ConfigError that lists everything missing.
 */
export function openGateway(config: Config): { gateway: GatewayClient; keyring: Keyring } {
  const { url, merchants } = gatewayConfig(config);
  const keyring = makeKeyring(merchants);
  const gateway = createGatewayClient({
    url,
    keyring,
    timeoutMs: config.GATEWAY_TIMEOUT_MS,
    payoutLayout: config.GATEWAY_PAYOUT_LAYOUT,
    escaping: config.GATEWAY_ESCAPING,
    statusEncoding: config.GATEWAY_STATUS_ENCODING,
    krwPath: config.GATEWAY_KRW_PATH,
    maxSockets: config.SUBMIT_CONCURRENCY,
    clock: systemClock,
    userAgent: `payrun/${version}`,
  });
  return { gateway, keyring };
}

/**
 * Returns what this machine sends with every payout of a lane. Null: it has no gateway credentials.
 */
export function sentDefaultsOf(config: Config): Pick<PayDeps, "callbackUrlOf" | "keyring"> | null {
  try {
    const keyring = makeKeyring(gatewayConfig(config).merchants);
    return { keyring, callbackUrlOf: callbackUrlOf(config.PUBLIC_URL) };
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/**
 * Runs several readers of the configuration.
 * @throws ConfigError with the problems of all readers.
 */
function combineReaders<Read extends readonly unknown[]>(
  ...readers: { readonly [At in keyof Read]: () => Read[At] }
): Read {
  const problems: string[] = [];
  const read = readers.map((reader) => {
    try {
      return reader();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return null;
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return read as unknown as Read;
}

/**
 * Opens everything that paying needs: ledger, gateway, queue.
 *
 * @param works whether this process sends payouts and queries their status, instead of only
 * accepting orders.
 */
export async function openPayrun(config: Config, works = true): Promise<Payrun> {
  const [opened, days] = combineReaders(
    () => openGateway(config),
    () => bankDays(config),
    () => assertKey(config),
  );
  const { gateway: client, keyring } = opened;
  const trafficMeter = new TrafficMeter();
  const gateway = withMeter(client, trafficMeter, (currency) =>
    laneOf(keyring.forCurrency(currency)?.merchantCode ?? "", currency),
  );
  const connections = connectionsOf(config, works);
  const base = await openLedger(config, connections);
  const { log, ledger, sealer } = base;
  const telemetry = await openTelemetry(config, log);

  const engine: QueueEngine = config.REDIS_URL
    ? { kind: "redis", url: config.REDIS_URL }
    : { kind: "postgres", url: base.databaseUrl, size: connections.queue };
  const producer = new JobProducer(engine, (error) => log.warn({ err: error.message }, "queue"));
  const stop = new AbortController();

  const around = { ledger, log, gateway, keyring, hints: producer, stopping: stop.signal };
  const deps = payDepsOf(config, around);
  const rows = rowSettings(config, keyring.all);
  const inboxOf = openFoldersIn(config.WATCH_FOLDER);
  const creating = new RequestSlots(1);
  const checking = new Set<string>();
  const sources = { ...deps, rows, inboxOf, creating };
  const ticks = {
    run: () =>
      tick({
        ledger,
        log,
        recheckBatch: (batchId) => recheckBatch(batchId, sources),
        checking,
        people: { ledger, sealer, clock: systemClock },
        schedules: { ...sources, holidays: days.holidays },
      }),
    writeResults: () => writeResults(sources),
    keepScheduled: () => producer.schedule(tickJob, { v: 1 }, TICK_MS),
  };
  return {
    ...base,
    gateway,
    keyring,
    queues: producer,
    meter: trafficMeter,
    jobCounts: new JobCounts(),
    presence: presenceOf(deps, base, config.SUBMIT_CONCURRENCY),
    rows,
    bankDays: days,
    inboxOf,
    ticks,
    engine,
    deps,
    deposits: deps,
    stop,
    async close() {
      await producer.close();
      gateway.close();
      await base.close();
      await telemetry.close();
    },
  };
}

/** Adds the settings of the installation to the parts that send payouts. */
const payDepsOf = (
  config: Config,
  parts: Pick<DepositDeps, "ledger" | "log" | "gateway" | "keyring" | "hints" | "stopping">,
): DepositDeps => ({
  ...parts,
  clock: systemClock,
  timings: { ...timingsOf(config), random },
  worker: `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`,
  slots: new RequestSlots(config.SUBMIT_CONCURRENCY),
  laneStart: new SlowStart(systemClock.monotonicMs, config.GATEWAY_TIMEOUT_MS),
  timeoutMs: config.GATEWAY_TIMEOUT_MS,
  thresholdsOf: circuitBreakersOf(config),
  leaseMs: config.GATEWAY_TIMEOUT_MS + LEASE_SLACK_MS,
  sendWithinMs: LEASE_SLACK_MS,
  callbackUrlOf: callbackUrlOf(config.PUBLIC_URL),
});

/** Shows in the ledger that this process runs, with the version and the slots. */
function presenceOf(
  { worker, log }: Pick<PayDeps, "worker" | "log">,
  { database, sealer }: Pick<OpenLedger, "database" | "sealer">,
  slots: number,
): Payrun["presence"] {
  const self = {
    id: worker,
    host: hostname(),
    pid: process.pid,
    version: build,
    startedAt: new Date(systemClock.nowMs()),
    slots,
  };
  const keepTotals = dailyTotals(database, log);
  return {
    async beat(now) {
      await recordHeartbeat(database, self, now);
      // The heartbeat is recorded. An error from here on must not make it count again.
      await keepTotals(systemClock.nowMs());
      const terms = await rewriteNextTerms(database, sealer).then(() => null, messageOf);
      if (terms !== null) log.error({ err: terms }, "cannot write search terms again");
      const why = await saveCheckpoint(database).catch(messageOf);
      if (why !== null)
        log.error({ err: why }, "cannot save the audit checkpoint outside the database");
    },
    leave: () => removeProcess(database, self),
  };
}

/**
 * Extra lease time in milliseconds for the commits around a request, even if the database is slow.
 */
const LEASE_SLACK_MS = 5_000;
