import type { Log } from "#base/log.ts";
import { hintIn, receiveHint } from "#flows/payout/callback.ts";
import type { PayDeps } from "#flows/deps.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { announce, type Callbacks } from "#proof/simulation/gateway/callbacks.ts";
import { Gateway } from "#proof/simulation/gateway/gateway.ts";
import { MemoryLedger } from "#proof/simulation/ledger/connection.ts";
import { memoryLedger } from "#proof/simulation/ledger/memory-ledger.ts";
import { EPOCH_MS, Life } from "#proof/simulation/world/life.ts";
import type { World } from "#proof/simulation/world/world.ts";
import { Checker } from "./checker.ts";
import type { Sky } from "./fault-injector.ts";
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
  readonly weather: Sky;
  readonly scenario: Scenario;
  readonly memory: MemoryLedger;
  readonly gateway: Gateway;
  readonly checker: Checker;
  readonly queue: Queue;
  readonly log: Log;
  /** The processes that run now. */
  readonly lives = new Set<Life>();
  /** How often a process crashed. */
  crashes = 0;
  readonly #listening = new Map<Life, PayDeps>();
  #databaseOffsetMs = 0;

  constructor(world: World, weather: Sky, scenario: Scenario) {
    this.world = world;
    this.weather = weather;
    this.scenario = scenario;
    this.memory = new MemoryLedger(() => EPOCH_MS + world.nowMs + this.#databaseOffsetMs);
    this.gateway = this.#openGateway();
    this.checker = new Checker(this.memory.tables, this.gateway.book, scenario, world, weather);
    this.queue = new Queue(
      world,
      () => weather.job(),
      (text) => this.checker.reads(text),
    );
    this.log = logTo((text, stack) => {
      this.checker.reads(text + stack);
      world.tell(() => `log: ${text}`);
    });
    weather.onClockJump = (life) => this.#jumpClocks(life);
  }

  /** Runs a process. After each crash it starts again. */
  live(name: string, start: (life: Life, ledger: PayingLedger) => void): void {
    const { world, weather } = this;
    let starts = 0;
    const begin = () => {
      const life = new Life(world, `${name}.${(starts += 1)}`, weather, () => {
        this.#bury(life);
        world.after(world.chance.between(50, 15_000), begin);
      });
      this.lives.add(life);
      const ledger = memoryLedger(this.memory, {
        clock: { nowMs: () => life.clock.nowMs(), sleep: (delayMs) => life.wait(delayMs) },
        holder: life,
        call: (statement, effect) =>
          life.call("ledger", statement, effect, () => weather.ledgerError()),
      });
      start(life, ledger);
    };
    begin();
  }

  /** Lets a process receive callbacks until it crashes. */
  listen(life: Life, deps: PayDeps): void {
    this.#listening.set(life, deps);
  }

  #openGateway(): Gateway {
    const { world, weather, scenario } = this;
    const callbacks = this.#callbacks();
    return new Gateway(world, weather, {
      merchants: GATEWAY_MERCHANTS,
      escaping: scenario.escaping,
      remembersMs: scenario.remembersMs,
      windowMs: scenario.windowMs,
      clockOffsetMs: scenario.gatewayOffsetMs,
      processingMs: scenario.resendAfterMs,
      areClocksTrue: () => weather.isClockTrue(),
      onTaken: (entry) => {
        this.checker.taken(entry);
        announce(world, entry, callbacks);
      },
      // Its callback may be true and arrive when the row is about to be retried.
      onLied: (entry) => announce(world, entry, callbacks),
    });
  }

  #callbacks(): Callbacks {
    const { world, weather, scenario } = this;
    return {
      merchants: GATEWAY_MERCHANTS,
      isSent: () => world.chance.happens(scenario.callbacks),
      faultOf: () => weather.callback(),
      truthOf: (entry) => this.gateway.book.truthOf(entry, world.nowMs),
      deliver: (body) => this.#deliver(body),
    };
  }

  /** Delivers a callback to one of the processes that are awake. */
  #deliver(body: unknown): void {
    const { world, log } = this;
    const awake = [...this.#listening].filter(([life]) => life.isAlive && !life.isPaused);
    if (awake.length === 0) return;
    const [life, deps] = world.chance.pick(awake);
    world.tell(() => `${life.name} gets a callback: ${JSON.stringify(body).slice(-80)}`);
    const hint = hintIn(body, deps);
    if (!hint) return;
    receiveHint(hint, deps).catch((error: unknown) => log.warn({ err: error }, "callback"));
  }

  #jumpClocks(life: Life): void {
    const { chance } = this.world;
    if (chance.happens(0.3))
      this.#databaseOffsetMs = chance.between(-LEDGER_CLOCK_OFF_MS, LEDGER_CLOCK_OFF_MS);
    else life.wallOffsetMs = chance.pick([0, 30_000, -30_000, 600_000, -600_000, -10_800_000]);
    this.world.tell(
      () => `clocks: ${life.name} ${life.wallOffsetMs}, database ${this.#databaseOffsetMs}`,
    );
  }

  /** Removes a crashed process, its jobs and its locks. */
  #bury(life: Life): void {
    this.crashes += 1;
    this.lives.delete(life);
    this.#listening.delete(life);
    this.queue.leave(life);
    for (const [lock, holder] of this.memory.locks) {
      if (holder === life) this.memory.locks.delete(lock);
    }
  }
}
