import type { Log } from "#base/log.ts";
import { readCallback, handleCallback } from "#flows/payout/callback.ts";
import type { PayDeps } from "#flows/deps.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { announce, type Callbacks } from "#proof/simulation/gateway/callbacks.ts";
import { Gateway } from "#proof/simulation/gateway/gateway.ts";
import { MemoryLedger } from "#proof/simulation/ledger/connection.ts";
import { memoryLedger } from "#proof/simulation/ledger/memory-ledger.ts";
import { EPOCH_MS, SimProcess } from "#proof/simulation/world/process.ts";
import type { World } from "#proof/simulation/world/world.ts";
import { Checker } from "./checker.ts";
import type { Faults } from "./fault-injector.ts";
import { GATEWAY_MERCHANTS } from "./merchants.ts";
import { Queue } from "./queue.ts";
import type { Scenario } from "./scenario.ts";
import { LEDGER_CLOCK_OFF_MS } from "./timetable.ts";
import { logTo } from "./worker.ts";

/**
 * payrun's processes in one run, and the ledger, the queue and the gateway that they share. The
 * checker observes the ledger and the gateway.
 */
export class Installation {
  readonly world: World;
  readonly faults: Faults;
  readonly scenario: Scenario;
  readonly memory: MemoryLedger;
  readonly gateway: Gateway;
  readonly checker: Checker;
  readonly queue: Queue;
  readonly log: Log;
  /** The processes that run now. */
  readonly lives = new Set<SimProcess>();
  /** How often a process crashed. */
  crashes = 0;
  readonly #listening = new Map<SimProcess, PayDeps>();
  #databaseOffsetMs = 0;

  constructor(world: World, faults: Faults, scenario: Scenario) {
    this.world = world;
    this.faults = faults;
    this.scenario = scenario;
    this.memory = new MemoryLedger(() => EPOCH_MS + world.nowMs + this.#databaseOffsetMs);
    this.gateway = this.#openGateway();
    this.checker = new Checker(this.memory.tables, this.gateway.log, scenario, world, faults);
    this.queue = new Queue(
      world,
      () => faults.job(),
      (text) => this.checker.checkText(text),
    );
    this.log = logTo((text, stack) => {
      this.checker.checkText(text + stack);
      world.log(() => `log: ${text}`);
    });
    faults.onClockJump = (proc) => this.#jumpClocks(proc);
  }

  /** Runs a process. After each crash it starts again. */
  live(name: string, start: (life: SimProcess, ledger: PayingLedger) => void): void {
    const { world, faults } = this;
    let starts = 0;
    const begin = () => {
      const proc = new SimProcess(world, `${name}.${(starts += 1)}`, faults, () => {
        this.#bury(proc);
        world.after(world.random.between(50, 15_000), begin);
      });
      this.lives.add(proc);
      const ledger = memoryLedger(this.memory, {
        clock: { nowMs: () => proc.clock.nowMs(), sleep: (delayMs) => proc.wait(delayMs) },
        holder: proc,
        call: (statement, effect) =>
          proc.call("ledger", statement, effect, () => faults.ledgerError()),
      });
      start(proc, ledger);
    };
    begin();
  }

  /** Lets a process receive callbacks until it crashes. */
  listen(proc: SimProcess, deps: PayDeps): void {
    this.#listening.set(proc, deps);
  }

  #openGateway(): Gateway {
    const { world, faults, scenario } = this;
    const callbacks = this.#callbacks();
    return new Gateway(world, faults, {
      merchants: GATEWAY_MERCHANTS,
      escaping: scenario.escaping,
      remembersMs: scenario.remembersMs,
      windowMs: scenario.windowMs,
      clockOffsetMs: scenario.gatewayOffsetMs,
      processingMs: scenario.resendAfterMs,
      areClocksTrue: () => faults.isClockTrue(),
      onTaken: (entry) => {
        this.checker.recordMoneyMoved(entry);
        announce(world, entry, callbacks);
      },
      onReversed: (entry) => announce(world, entry, callbacks),
      // Its callback may be true and arrive when the row is about to be retried.
      onLied: (entry) => announce(world, entry, callbacks),
    });
  }

  #callbacks(): Callbacks {
    const { world, faults, scenario } = this;
    return {
      merchants: GATEWAY_MERCHANTS,
      isSent: () => world.random.isTrue(scenario.callbacks),
      faultOf: () => faults.callback(),
      truthOf: (entry) => this.gateway.log.actualStateOf(entry, world.nowMs),
      deliver: (body) => this.#deliver(body),
    };
  }

  /** Delivers a callback to one of the processes that are awake. */
  #deliver(body: unknown): void {
    const { world, log } = this;
    const awake = [...this.#listening].filter(([proc]) => proc.isAlive && !proc.isPaused);
    if (awake.length === 0) return;
    const [life, deps] = world.random.pick(awake);
    world.log(() => `${life.name} gets a callback: ${JSON.stringify(body).slice(-80)}`);
    const hint = readCallback(body, deps);
    if (!hint) return;
    handleCallback(hint, deps).catch((error: unknown) => log.warn({ err: error }, "callback"));
  }

  #jumpClocks(proc: SimProcess): void {
    const { random } = this.world;
    if (random.isTrue(0.3))
      this.#databaseOffsetMs = random.between(-LEDGER_CLOCK_OFF_MS, LEDGER_CLOCK_OFF_MS);
    else proc.wallOffsetMs = random.pick([0, 30_000, -30_000, 600_000, -600_000, -10_800_000]);
    this.world.log(
      () => `clocks: ${proc.name} ${proc.wallOffsetMs}, database ${this.#databaseOffsetMs}`,
    );
  }

  /** Removes a crashed process, its jobs and its locks. */
  #bury(proc: SimProcess): void {
    this.crashes += 1;
    this.lives.delete(proc);
    this.#listening.delete(proc);
    this.queue.leave(proc);
    for (const [lock, holder] of this.memory.locks) {
      if (holder === proc) this.memory.locks.delete(lock);
    }
  }
}
