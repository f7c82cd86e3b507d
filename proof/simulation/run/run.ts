import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { hintIn, receiveHint } from "#flows/payout/callback.ts";
import type { PayDeps } from "#flows/deps.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { payloadText } from "#payout/payout.ts";
import { CANARY } from "./approved-row.ts";
import { BrakeChecker } from "./brake-checker.ts";
import { Checker, type Violation } from "./checker.ts";
import { announce, type Callbacks } from "#proof/simulation/gateway/callbacks.ts";
import { Gateway } from "#proof/simulation/gateway/gateway.ts";
import { memoryLedger, MemoryLedger } from "#proof/simulation/ledger/memory-ledger.ts";
import type { PayoutRow } from "#proof/simulation/ledger/tables.ts";
import { EPOCH_MS, Life } from "#proof/simulation/world/life.ts";
import { GATEWAY_MERCHANTS, KEYRING } from "./merchants.ts";
import { keepOffice } from "./operator-model.ts";
import { Queue } from "./queue.ts";
import { drawScenario, type File, mintOf, type Scenario } from "./scenario.ts";
import { planRestore } from "./restore.ts";
import { LEDGER_CLOCK_OFF_MS } from "./timetable.ts";
import { type Sky, Weather } from "./fault-injector.ts";
import { logTo, startWorker } from "./worker.ts";
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
  /** Codes for which the gateway broke the condition of the promise or contradicted itself. */
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
  const weather = new Weather(world);
  const scenario = drawScenario(world.chance, payouts);
  const result = await runIn(world, weather, scenario, change);
  return { seed, payouts, ...result, faults: Object.fromEntries(weather.counts) };
}

type Ending = Omit<RunResult, "seed" | "payouts" | "faults">;

/**
 * Lets the installation pay its files under these faults until everything is at rest, or should be.
 */
export async function runIn(
  world: World,
  weather: Sky,
  scenario: Scenario,
  change: (deps: PayDeps) => PayDeps = (deps) => deps,
): Promise<Ending> {
  const { chance } = world;
  const { remembersMs, stormMs } = scenario;
  const payouts = scenario.files.reduce((sum, { rows }) => sum + rows.length, 0);

  let databaseOffsetMs = 0;
  const mint = mintOf(chance);
  const memory = new MemoryLedger(() => EPOCH_MS + world.nowMs + databaseOffsetMs);
  const gateway: Gateway = new Gateway(world, weather, {
    merchants: GATEWAY_MERCHANTS,
    escaping: scenario.escaping,
    remembersMs,
    windowMs: scenario.windowMs,
    clockOffsetMs: scenario.gatewayOffsetMs,
    processingMs: scenario.resendAfterMs,
    areClocksTrue: () => weather.isClockTrue(),
    onTaken: (entry) => {
      checker.taken(entry);
      announce(world, entry, callbacks);
    },
    // Its callback may be true and arrive when the row is about to be retried.
    onLied: (entry) => announce(world, entry, callbacks),
  });
  const checker = new Checker(memory.tables, gateway.book, scenario, world, weather);
  const listening = new Map<Life, PayDeps>();
  const callbacks: Callbacks = {
    merchants: GATEWAY_MERCHANTS,
    isSent: () => chance.happens(scenario.callbacks),
    faultOf: () => weather.callback(),
    truthOf: (entry) => gateway.book.truthOf(entry, world.nowMs),
    deliver(body) {
      const awake = [...listening].filter(([life]) => life.isAlive && !life.isPaused);
      if (awake.length === 0) return;
      const [life, deps] = chance.pick(awake);
      world.tell(() => `${life.name} gets a callback: ${JSON.stringify(body).slice(-80)}`);
      const hint = hintIn(body, deps);
      if (!hint) return;
      receiveHint(hint, deps).catch((error: unknown) => log.warn({ err: error }, "callback"));
    },
  };
  const queue = new Queue(
    world,
    () => weather.job(),
    (text) => checker.reads(text),
  );
  const log = logTo((text, stack) => {
    checker.reads(text + stack);
    world.tell(() => `log: ${text}`);
  });
  const timed = new Map<string, Date>();
  const lives = new Set<Life>();
  let crashes = 0;
  weather.onClockJump = (life) => {
    if (chance.happens(0.3))
      databaseOffsetMs = chance.between(-LEDGER_CLOCK_OFF_MS, LEDGER_CLOCK_OFF_MS);
    else life.wallOffsetMs = chance.pick([0, 30_000, -30_000, 600_000, -600_000, -10_800_000]);
    world.tell(() => `clocks: ${life.name} ${life.wallOffsetMs}, database ${databaseOffsetMs}`);
  };

  function live(name: string, start: (life: Life, ledger: Ledger) => void): void {
    let starts = 0;
    const begin = () => {
      const life = new Life(world, `${name}.${(starts += 1)}`, weather, () => {
        crashes += 1;
        lives.delete(life);
        listening.delete(life);
        queue.leave(life);
        for (const [lock, holder] of memory.locks) {
          if (holder === life) memory.locks.delete(lock);
        }
        world.after(chance.between(50, 15_000), begin);
      });
      lives.add(life);
      const ledger = memoryLedger(memory, {
        clock: { nowMs: () => life.clock.nowMs(), sleep: (delayMs) => life.wait(delayMs) },
        holder: life,
        call: (statement, effect) =>
          life.call("ledger", statement, effect, () => weather.ledgerError()),
      });
      start(life, ledger);
    };
    begin();
  }

  for (let worker = 1; worker <= scenario.workers; worker += 1) {
    live(`worker ${worker}`, (life, ledger) => {
      const around = { life, ledger, gateway, queue, checker, scenario, log };
      listening.set(life, startWorker(around, change));
    });
  }
  const depths = scenario.files.map(() => chance.pick([0, 1, 2]));
  const desk = { depths, paid: new Set<File>(), seen: -1, isRestored: false };
  live("office", (life, ledger) => {
    const rows = { ...DEFAULT_ROW_SETTINGS, amountLimits: new Map<string, bigint>() };
    const ingestDeps = { ledger, keyring: KEYRING, rows, mint };
    void keepOffice(scenario.files, {
      life,
      ledger,
      ingestDeps,
      weather,
      checker,
      timed,
      desk,
      tables: memory.tables,
    });
  });
  world.after(stormMs, () => {
    world.tell(() => "all faults have ended");
    weather.isCalm = true;
    for (const life of lives) life.wallOffsetMs = 0;
  });

  world.after(chance.between(0, stormMs), () => {
    const how = weather.tampers();
    const unsent = memory.tables.payouts.filter(({ attempts }) => attempts === 0);
    if (how === null || unsent.length === 0) return;
    const payout = chance.pick(unsent);
    world.tell(() => `${payout.order.transactionCode} now has another ${how}`);
    tamper(payout, how, checker);
  });

  planRestore(world, weather, {
    memory,
    checker,
    onRestored() {
      desk.isRestored = true;
    },
  });

  const isQuiet = () =>
    weather.isCalm &&
    gateway.late === 0 &&
    memory.tables.payouts.length - memory.tables.descendants.size === payouts &&
    desk.seen === memory.tables.journal.length &&
    memory.tables.batches.values().every(({ finishedAt }) => finishedAt !== null) &&
    !lives.values().some(({ isPaused }) => isPaused);
  let quietSinceMs: number | null = null;
  const isAtRest = () => {
    quietSinceMs = isQuiet() ? (quietSinceMs ?? world.nowMs) : null;
    return quietSinceMs !== null && world.nowMs - quietSinceMs > QUIET_MS;
  };
  const brakes = new BrakeChecker(memory, checker, scenario);
  const look = () => {
    checker.look();
    brakes.look();
  };
  const boundMs = stormMs + remembersMs / 2 + REST_MS;
  await world.run(boundMs, () => checker.violation !== null || isAtRest(), look);
  if (!checker.violation) checker.end();

  const { violation } = checker;
  const counts = { states: {}, held: {} } as Record<"states" | "held", Record<string, number>>;
  const count = (list: Record<string, number>, name: string) => {
    list[name] = (list[name] ?? 0) + 1;
  };
  for (const { state, reason } of memory.tables.payouts) {
    count(counts.states, state);
    if (state === "on_hold") count(counts.held, reason?.split(":")[0] ?? "");
  }
  const { book } = gateway;
  return {
    virtualMs: world.nowMs,
    requests: gateway.requests,
    crashes,
    ...counts,
    broken: book.broken.size,
    paidTwiceByBreach: checker.paidTwiceByBreach,
    violation,
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
  checker.isStoredAs(transactionCode, HOSTILE_NAME);
}
