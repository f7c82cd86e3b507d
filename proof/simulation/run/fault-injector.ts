import type { GatewayDecisions } from "#proof/simulation/gateway/gateway.ts";
import type { CallFates } from "#proof/simulation/world/process.ts";
import { STATUS, SUBMIT, type SubmitFault } from "#proof/simulation/gateway/answers.ts";
import type { Random } from "#proof/simulation/world/random.ts";
import type { CallbackFault } from "#proof/simulation/gateway/callbacks.ts";
import type { Fate, SimProcess, Place, Strike } from "#proof/simulation/world/process.ts";
import type { QueueFault } from "./queue.ts";
import type { World } from "#proof/simulation/world/world.ts";

/**
 * Faults of one run and their frequency, drawn from the seed. Each kind of fault is left out of
 * half of the runs, so that the others meet in every combination. One run in sixteen has none.
 */

/** Maximum frequency of an active fault: per call, request, job or code. */
// biome-ignore format: the table is easier to read in columns
const RATES = {
  "process crashes":               0.02,
  "process is paused":             0.01,
  "statement fails":               0.04,
  "database is away":              0.001,
  "queue is away":                 0.01,
  "submit goes wrong":             0.3,
  "status goes wrong":             0.3,
  "status lags":                   0.3,
  "gateway is slow":               0.05,
  "gateway reverses":              0.05,
  "gateway forgets too early":     0.02,
  "gateway accepts twice at once": 0.5,
  "gateway reports a false result": 0.01,
  "callback goes wrong":           0.5,
  "gateway outage":                0.004,
  "status outage":                 0.004,
  "code is never explained":       0.2,
  "clock jumps":                   0.01,
  "stored row is changed":         0.5,
  "ledger is restored":            0.4,
  "row check missed something":    0.5,
  "job lost":                      0.1,
  "job doubled":                   0.2,
  "job delayed":                   0.1,
  "job repeated":                  0.1,
  "job flushed":                   0.02,
} as const;

export type FaultKind = keyof typeof RATES;

const SUBMIT_FAULTS = (Object.keys(SUBMIT) as SubmitFault[]).filter((name) => name !== "accepted");
const STATUS_FAULTS = Object.keys(STATUS).filter((name) => name !== "status_lies");
const QUEUE_FAULTS: readonly QueueFault[] = ["lost", "doubled", "delayed", "repeated", "flushed"];
const CALLBACK_FAULTS: readonly CallbackFault[] = [
  "lost",
  "repeated",
  "late",
  "false content",
  "another key",
  "unknown code",
  "garbage",
];
/** Long faults of one merchant: for some time, or until a person has fixed the setup. */
const LONG_FAULTS = [
  "code_115",
  "code_124",
  "http_401",
  "code_119",
  "code_116",
  "unreachable",
  "http_503_before",
  "hang_before",
  "http_429_before",
] as const;
const LONG_STATUS_FAULTS = [
  "status_500",
  "status_hang",
  "status_unreachable",
  "status_not_found",
  "status_html",
];
const CLEAN_RUNS = 1 / 16;

interface LongFault<Fault> {
  readonly fault: Fault;
  readonly untilMs: number;
}

/** Injects random faults at rates that are drawn for each run. */
export class FaultInjector implements Faults {
  readonly #random: Random;
  readonly #rates = new Map<FaultKind, number>();
  readonly #submit: readonly SubmitFault[];
  readonly #status: readonly string[];
  readonly isClean: boolean;
  /** From here on no fault occurs. */
  isOver = false;
  /** The gateway answers no status query about these codes. */
  readonly #silent = new Set<string>();
  /** Each kind of fault with how often it struck. */
  readonly counts = new Map<string, number>();
  onClockJump: (life: SimProcess) => void = () => {};
  #databaseDownUntilMs = 0;
  readonly #world: World;
  readonly #longFaults = new Map<string, LongFault<SubmitFault>>();
  #longStatusFault: LongFault<string> | null = null;

  constructor(world: World) {
    const { random } = world;
    this.#world = world;
    this.#random = random;
    this.isClean = random.isTrue(CLEAN_RUNS);
    for (const kind of Object.keys(RATES) as FaultKind[]) {
      const isOn = random.isTrue(0.5);
      if (isOn && !this.isClean) this.#rates.set(kind, RATES[kind] * random.between(0.2, 1));
    }
    this.#submit = SUBMIT_FAULTS.filter(() => random.isTrue(0.4));
    this.#status = STATUS_FAULTS.filter(() => random.isTrue(0.4));
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  happens(kind: FaultKind): boolean {
    if (this.isOver || !this.#random.isTrue(this.#rates.get(kind) ?? 0)) return false;
    this.count(kind);
    return true;
  }

  of(proc: SimProcess, place: Place, _what: string): Fate {
    const random = this.#random;
    if (this.happens("clock jumps")) this.onClockJump(proc);
    const isSlow = random.isTrue(0.05);
    const delayMs = isSlow ? random.between(5, 400) : random.between(0.2, 4);
    const answerMs = isSlow ? random.between(1, 50) : 0;
    return { delayMs, answerMs, strike: this.#strike(proc, place) };
  }

  #strike({ world }: SimProcess, place: Place): Strike | null {
    if (place === "ledger" && this.#databaseDownUntilMs > world.nowMs) {
      return { when: "before", how: "error", pauseMs: 0 };
    }
    if (this.isOver) return null;
    const when = this.#random.isTrue(0.5) ? "before" : "after";
    if (this.happens("process crashes")) return { when, how: "crash", pauseMs: 0 };
    if (this.happens("process is paused")) {
      return { when, how: "pause", pauseMs: this.#random.between(100, 90_000) };
    }
    const failed = (side: Strike["when"]): Strike => ({ when: side, how: "error", pauseMs: 0 });
    if (place === "queue") return this.happens("queue is away") ? failed("before") : null;
    if (place === "gateway") return null;
    if (this.happens("database is away")) {
      this.#databaseDownUntilMs = world.nowMs + this.#random.between(100, 60_000);
      return failed(when);
    }
    return this.happens("statement fails") ? failed(when) : null;
  }

  /** Message of a ledger error: retryable or not. */
  ledgerError(): Error {
    return this.#random.pick(LEDGER_ERRORS);
  }

  submit(merchant: string, code: string): SubmitFault {
    const bad = this.#longFaults.get(merchant);
    if (bad && !this.isOver && bad.untilMs > this.#world.nowMs) {
      this.count(`outage: ${bad.fault}`);
      return bad.fault;
    }
    if (this.happens("gateway outage")) {
      const fault = this.#random.pick(LONG_FAULTS);
      const lasts =
        "blamesSetUp" in SUBMIT[fault] ? Infinity : this.#random.between(5_000, 400_000);
      this.#longFaults.set(merchant, { fault, untilMs: this.#world.nowMs + lasts });
      return fault;
    }
    if (this.#submit.length === 0 || !this.happens("submit goes wrong")) return "accepted";
    const fault = this.#random.pick(this.#submit);
    this.count(`submit ${fault}`);
    if (fault === "hang_after" || fault === "reset_after") this.#silence(code);
    return fault;
  }

  /**
   * Also after all faults have ended: a person decides about a code that is never explained,
   * because it would keep a restored ledger frozen.
   */
  #silence(code: string): void {
    if (this.#rates.has("ledger is restored")) return;
    if (this.happens("code is never explained")) this.#silent.add(code);
  }

  /** A person has checked keys, addresses and contracts. */
  repairSetup(): void {
    for (const [merchant, { untilMs }] of this.#longFaults) {
      if (untilMs === Infinity) this.#longFaults.delete(merchant);
    }
  }

  callback(): CallbackFault | null {
    return this.happens("callback goes wrong") ? this.#random.pick(CALLBACK_FAULTS) : null;
  }

  status(code: string): string | null {
    if (this.#silent.has(code)) return "status_500";
    const bad = this.#longStatusFault;
    if (bad && !this.isOver && bad.untilMs > this.#world.nowMs) return bad.fault;
    if (this.happens("status outage")) {
      const untilMs = this.#world.nowMs + this.#random.between(5_000, 400_000);
      this.#longStatusFault = { fault: this.#random.pick(LONG_STATUS_FAULTS), untilMs };
    }
    if (this.happens("gateway reports a false result")) return "status_lies";
    if (this.#status.length === 0 || !this.happens("status goes wrong")) return null;
    const fault = this.#random.pick(this.#status);
    this.count(fault);
    return fault;
  }

  taken() {
    const random = this.#random;
    const isSlow = this.happens("gateway is slow");
    // Most have ended when they are first queried; some are queried repeatedly.
    const finishesMs = random.pick([500, 500, 500, 8_000]);
    return {
      fate: random.isTrue(0.9) ? ("completed" as const) : ("failed" as const),
      finishAfterMs: isSlow ? random.between(60_000, 900_000) : random.between(100, finishesMs),
      showAfterMs: this.happens("status lags") ? random.between(100, 60_000) : 0,
      forgetAfterMs: this.happens("gateway forgets too early")
        ? random.between(1_000, 600_000)
        : null,
      reverseAfterMs: this.happens("gateway reverses") ? random.between(1_000, 300_000) : null,
    };
  }

  tampers() {
    if (this.happens("stored row is changed")) return "content" as const;
    return this.happens("row check missed something") ? ("layout" as const) : null;
  }

  restores(): boolean {
    return this.happens("ledger is restored");
  }

  stopDatabase(untilMs: number): void {
    this.#databaseDownUntilMs = Math.max(this.#databaseDownUntilMs, untilMs);
  }

  isLedgerSound(): boolean {
    return (
      !this.counts.has("ledger is restored") &&
      !this.counts.has("database is away") &&
      !this.counts.has("statement fails")
    );
  }

  isClockTrue(): boolean {
    return !this.counts.has("clock jumps");
  }

  races(): boolean {
    return this.happens("gateway accepts twice at once");
  }

  job(): QueueFault | null {
    return QUEUE_FAULTS.find((fault) => this.happens(`job ${fault}`)) ?? null;
  }
}

const LEDGER_ERRORS = [
  ["08006", "Connection terminated unexpectedly"],
  ["40P01", "deadlock detected"],
  ["57P01", "terminating connection due to administrator command"],
  ["57014", "canceling statement due to statement timeout"],
].map(([code, text]) => Object.assign(new Error(text), { code }));

/** All faults of a run, and when they end. */
export interface Faults extends CallFates, GatewayDecisions {
  readonly isClean: boolean;
  isOver: boolean;
  count(kind: string): void;
  job(): QueueFault | null;
  callback(): CallbackFault | null;
  /** Whether the database is restored to an earlier point in this run. */
  restores(): boolean;
  /** No statement succeeds until then. */
  stopDatabase(untilMs: number): void;
  /** A person has fixed our setup with the gateway. */
  repairSetup(): void;
  ledgerError(): Error;
  /**
   * A row of the ledger is changed behind its back; or it contains what its row check should have
   * refused.
   */
  tampers(): "content" | "layout" | null;
  /** Whether the ledger has accepted every statement so far. */
  isLedgerSound(): boolean;
  /** Whether no clock was set so far. */
  isClockTrue(): boolean;
  /** A clock is set to another time. */
  onClockJump: (life: SimProcess) => void;
}
