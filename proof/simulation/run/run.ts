import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import type { PayDeps } from "#flows/deps.ts";
import { payloadText } from "#payout/payout.ts";
import { CANARY } from "./approved-row.ts";
import { CircuitBreakerChecker } from "./circuit-breaker-checker.ts";
import type { Checker, Violation } from "./checker.ts";
import type { PayoutRow } from "#proof/simulation/ledger/tables.ts";
import { statementOf } from "#proof/simulation/operators/statement.ts";
import { Installation } from "./installation.ts";
import { KEYRING } from "./merchants.ts";
import { runOperators, type OperatorContext } from "./operator-model.ts";
import { drawScenario, type File, idsFrom, type Scenario } from "./scenario.ts";
import { planRestore } from "./restore.ts";
import { type Faults, FaultInjector } from "./fault-injector.ts";
import { startWorker } from "./worker.ts";
import { World } from "#proof/simulation/world/world.ts";

export interface RunResult {
  readonly seed: number;
  readonly payouts: number;
  readonly virtualMs: number;
  readonly requests: number;
  readonly crashes: number;
  /** Each kind of fault with how often it struck. */
  readonly faults: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  readonly held: Readonly<Record<string, number>>;
  /** Codes for which the gateway broke the condition of the guarantee or contradicted itself. */
  readonly broken: number;
  readonly paidTwiceByBreach: number;
  readonly violation: Violation | null;
}

/** Long enough for a process that has just woken up to act. */
const QUIET_MS = 1_000;
/** After the last fault: several times the longest wait between two status queries. */
const REST_MS = 3_600_000;

/**
 * One run, derived completely from the seed.
 *
 * @param tell receives the event log, one line per event.
 * @param change replaces a part, to test whether the checker notices.
 */
export async function runOnce(
  seed: number,
  payouts: number,
  tell: ((line: string) => void) | null,
  change?: (deps: PayDeps) => PayDeps,
): Promise<RunResult> {
  const world = new World(seed, tell);
  const faults = new FaultInjector(world);
  const scenario = drawScenario(world.random, payouts);
  const result = await runIn(world, faults, scenario, change);
  return { seed, payouts, ...result, faults: Object.fromEntries(faults.counts) };
}

type Ending = Omit<RunResult, "seed" | "payouts" | "faults">;

/**
 * Lets the installation pay its files under these faults until everything is at rest, or should be.
 */
export async function runIn(
  world: World,
  faults: Faults,
  scenario: Scenario,
  change: (deps: PayDeps) => PayDeps = (deps) => deps,
): Promise<Ending> {
  const installation = new Installation(world, faults, scenario);
  const { checker, memory } = installation;

  startWorkers(installation, change);
  const desk = openOffice(installation);
  planCalm(installation);
  planTampering(installation);
  planRestore(world, faults, {
    memory,
    checker,
    onRestored() {
      desk.isRestored = true;
    },
  });

  const isAtRest = restDetector(installation, desk);
  const brakes = new CircuitBreakerChecker(memory, checker, scenario);
  const look = () => {
    checker.checkChanges();
    brakes.check();
  };
  const boundMs = scenario.faultsEndMs + scenario.remembersMs / 2 + REST_MS;
  await world.run(boundMs, () => checker.violation !== null || isAtRest(), look);
  if (!checker.violation) checker.end();
  return endingOf(installation);
}

function startWorkers(installation: Installation, change: (deps: PayDeps) => PayDeps): void {
  const { gateway, queue, checker, scenario, log } = installation;
  for (let worker = 1; worker <= scenario.workers; worker += 1) {
    installation.live(`worker ${worker}`, (life, ledger) => {
      const around = { life, ledger, gateway, queue, checker, scenario, log };
      installation.listen(life, startWorker(around, change));
    });
  }
}

/** Starts the operators' process. Returns what the operators remember when it crashes. */
function openOffice(installation: Installation): OperatorContext["records"] {
  const { world, faults, scenario, checker, memory, gateway } = installation;
  const ids = idsFrom(world.random);
  const timed = new Map<string, Date>();
  const depths = scenario.files.map(() => world.random.pick([0, 1, 2]));
  const records = { depths, paid: new Set<File>(), seen: -1, isRestored: false };
  installation.live("office", (life, ledger) => {
    const rows = { ...DEFAULT_ROW_SETTINGS, amountLimits: new Map<string, bigint>() };
    const ingestDeps = { ledger, keyring: KEYRING, rows, ids };
    const { tables } = memory;
    const statement = (isExact: boolean) =>
      statementOf(gateway.log, world.nowMs, { random: world.random, isExact });
    const seen = { faults, checker, timed, records, tables, statement };
    const office = { life, ledger, ingestDeps, ...seen };
    void runOperators(scenario.files, office);
  });
  return records;
}

/** Ends all faults after the scenario's time. */
function planCalm({ world, faults, scenario, lives }: Installation): void {
  world.after(scenario.faultsEndMs, () => {
    world.log(() => "all faults have ended");
    faults.isOver = true;
    for (const life of lives) life.wallOffsetMs = 0;
  });
}

/** In some runs, someone changes an unsent payout in the database. */
function planTampering({ world, faults, scenario, memory, checker }: Installation): void {
  const { random } = world;
  world.after(random.between(0, scenario.faultsEndMs), () => {
    const how = faults.tampers();
    const unsent = memory.tables.payouts.filter(({ attempts }) => attempts === 0);
    if (how === null || unsent.length === 0) return;
    const payout = random.pick(unsent);
    world.log(() => `${payout.order.transactionCode} now has another ${how}`);
    tamper(payout, how, checker);
  });
}

/** Returns a function that reports whether the run has been at rest for `QUIET_MS`. */
function restDetector(installation: Installation, desk: OperatorContext["records"]): () => boolean {
  const { world, faults, scenario, gateway, lives, memory } = installation;
  const payouts = scenario.files.reduce((sum, { rows }) => sum + rows.length, 0);
  const isQuiet = () =>
    faults.isOver &&
    gateway.late === 0 &&
    memory.tables.payouts.length - memory.tables.descendants.size === payouts &&
    desk.seen === memory.tables.journal.length &&
    memory.tables.batches.values().every(({ finishedAt }) => finishedAt !== null) &&
    !lives.values().some(({ isPaused }) => isPaused);
  let quietSinceMs: number | null = null;
  return () => {
    quietSinceMs = isQuiet() ? (quietSinceMs ?? world.nowMs) : null;
    return quietSinceMs !== null && world.nowMs - quietSinceMs > QUIET_MS;
  };
}

function endingOf({ world, gateway, checker, memory, crashes }: Installation): Ending {
  const counts = { states: {}, held: {} } as Record<"states" | "held", Record<string, number>>;
  const count = (list: Record<string, number>, name: string) => {
    list[name] = (list[name] ?? 0) + 1;
  };
  for (const { state, reason } of memory.tables.payouts) {
    count(counts.states, state);
    if (state === "on_hold") count(counts.held, reason?.split(":")[0] ?? "");
  }
  return {
    virtualMs: world.nowMs,
    requests: gateway.requests,
    crashes,
    ...counts,
    broken: gateway.log.broken.size,
    paidTwiceByBreach: checker.paidTwiceByBreach,
    violation: checker.violation,
  };
}

/** A value that no layout of pairs can carry: it would be read as another amount. */
const HOSTILE_NAME = "Asha&transaction_amount=9";

function tamper(payout: PayoutRow, how: "content" | "layout", checker: Checker): void {
  const { details, transactionCode } = payout.order;
  const change =
    how === "content" ? { bank_account_number: `${CANARY}999999` } : { account_name: HOSTILE_NAME };
  payout.order = { ...payout.order, details: { ...details, ...change } };
  if (how === "content") return;
  payout.payload = payloadText(payout.order);
  checker.recordStoredName(transactionCode, HOSTILE_NAME);
}
