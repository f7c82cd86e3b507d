import { availableParallelism } from "node:os";
import { CANARY } from "#proof/simulation/run/approved-row.ts";
import { STATUS, SUBMIT, type SubmitFault } from "./gateway/answers.ts";
import type { Fate, SimProcess, Place, Strike } from "#proof/simulation/world/process.ts";
import { runIn } from "#proof/simulation/run/run.ts";
import { digestOf, type Scenario } from "#proof/simulation/run/scenario.ts";
import { inThread } from "./thread.ts";
import { World } from "#proof/simulation/world/world.ts";
import { type Faults } from "#proof/simulation/run/fault-injector.ts";

/**
 * The crash matrix: one payout, one answer of the gateway, and one strike on one side of one call.
 * The calls are not listed: a run without a strike discovers them for each answer.
 */

/** The gateway's behaviour on its first request of each kind. Afterwards it behaves well. */
export interface Outcome {
  readonly submit: SubmitFault;
  readonly status: string | null;
  /**
   * Its worker is frozen inside the request until long after its lease, before anything else
   * strikes (F12).
   */
  readonly late?: true;
}

/** One call of a run: its process, its kind, and its number among the calls of its kind. */
export interface Boundary {
  readonly process: string;
  readonly what: string;
  readonly nth: number;
}

export interface Case {
  readonly outcome: Outcome;
  /** Null: only the gateway's answer. */
  readonly at: (Boundary & Strike) | null;
}

interface CaseResult {
  /** The state in which the payout came to rest, with the reason if it is on hold. */
  readonly end: string;
  readonly violation: string | null;
  /** Whether the strike found its call. */
  readonly struck: boolean;
}

/** All cases of one outcome. */
export interface OutcomeResult {
  readonly outcome: Outcome;
  /** The result without a strike. */
  readonly plain: string;
  readonly cases: number;
  /** The calls that were struck, by process. */
  readonly calls: readonly string[];
  /** How often each result was reached. */
  readonly ends: Readonly<Record<string, number>>;
  readonly broken: readonly string[];
}

const LATE = ["accepted", "reset_after", "code_121", "code_119", "known_other_amount"] as const;

// biome-ignore format: the table is easier to read in columns
export const OUTCOMES: readonly Outcome[] = [
  ...(Object.keys(SUBMIT) as SubmitFault[]).map((submit) => ({ submit, status: null })),
  ...Object.keys(STATUS).filter((status) => status !== "status_lies").map((status) => ({ submit: "hang_after" as const, status })),
  ...LATE.map((submit) => ({ submit, status: null, late: true as const })),
];

/** A call that repeats in every sweep is the same boundary from its third time on. */
const NTH_MAX = 2;
/** Longer than every lease of the scenario. */
const PAUSE_MS = 60_000;

const FROZEN: Strike = { when: "after", how: "pause", pauseMs: PAUSE_MS };

const SCENARIO: Scenario = {
  workers: 2,
  slots: 4,
  timeoutMs: 2_000,
  resolveAfterMs: 500,
  resendAfterMs: 5_000,
  remembersMs: 1_800_000,
  windowMs: 300_000,
  gatewayOffsetMs: 0,
  circuitBreakers: new Map(),
  layout: "name=value",
  escaping: "none",
  statusEncoding: "base64",
  callbacks: 0,
  faultsEndMs: 0,
  files: [oneRow()],
};

function oneRow() {
  const row = { currency: "INR", amount: "250.75", account: `${CANARY}000001`, name: "Asha Rao" };
  const header =
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
  const line = `U-1,${row.currency},${row.amount},${row.name},${row.account},HDFC0000001,HDFC,HDFC Bank`;
  const bytes = Buffer.from(`${header}\n${line}\n`);
  return {
    name: "one.csv",
    rows: [row],
    bytes,
    sendAfterMs: null,
    occurrence: null,
    digest: digestOf(bytes),
    canary: 0,
  };
}

/** Injects one fault at one place. */
class PlannedFaults implements Faults {
  readonly isClean = true;
  readonly seen = new Map<string, Boundary>();
  readonly #case: Case;
  readonly #counts = new Map<string, number>();
  isOver = false;
  struck = false;
  onClockJump = (): void => {};
  #submits = 0;
  #statusQueries = 0;

  constructor(planned: Case) {
    this.#case = planned;
  }

  of(proc: SimProcess, _place: Place, what: string): Fate {
    const [process = ""] = proc.name.split(/[ .]/);
    const kind = `${process} ${what}`;
    const nth = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, nth);
    if (nth <= NTH_MAX) this.seen.set(`${kind} ${nth}`, { process, what, nth });
    const { at } = this.#case;
    const isHere = at?.process === process && at.what === what && at.nth === nth;
    this.struck ||= isHere;
    const isLate = this.#case.outcome.late && what === "payout" && nth === 1;
    const strike = isHere ? at : isLate ? FROZEN : null;
    return { delayMs: 1, answerMs: 0, strike };
  }

  submit(): SubmitFault {
    return (this.#submits += 1) === 1 ? this.#case.outcome.submit : "accepted";
  }

  status(): string | null {
    return (this.#statusQueries += 1) === 1 ? this.#case.outcome.status : null;
  }

  taken() {
    return {
      fate: "completed",
      finishAfterMs: 100,
      showAfterMs: 0,
      forgetAfterMs: null,
      reverseAfterMs: null,
    } as const;
  }

  repairSetup = (): void => {};
  callback = (): null => null;
  races = (): boolean => false;
  restores = (): boolean => false;
  stopDatabase = (): void => {};
  tampers = (): null => null;
  isLedgerSound = (): boolean => true;
  isClockTrue = (): boolean => true;
  count = (): void => {};
  job = (): null => null;
  ledgerError = (): Error =>
    Object.assign(new Error("Connection terminated unexpectedly"), { code: "08006" });
}

async function run(planned: Case, tell: ((line: string) => void) | null) {
  const plan = new PlannedFaults(planned);
  const { violation, states, held } = await runIn(new World(1, tell), plan, SCENARIO);
  const end = [...Object.keys(states), ...Object.keys(held)].join(" ");
  const broken = violation && `${violation.invariant} ${violation.what}`;
  const result: CaseResult = { end, violation: broken, struck: plan.struck };
  return { result, boundaries: [...plan.seen.values()] };
}

/** Runs one case of the matrix and checks it. */
export const runCase = async (planned: Case): Promise<CaseResult> =>
  (await run(planned, null)).result;

/** Every call that is made after this answer of the gateway. */
export const boundariesOf = async (outcome: Outcome): Promise<readonly Boundary[]> =>
  (await run({ outcome, at: null }, null)).boundaries;

/** Both sides of a call, and every strike that is possible there. */
export const strikesAt = (outcome: Outcome, boundary: Boundary): readonly Case[] =>
  (["before", "after"] as const).flatMap((when) =>
    (["crash", "pause", "error"] as const).map((how) => ({
      outcome,
      at: { ...boundary, when, how, pauseMs: PAUSE_MS },
    })),
  );

/** Every outcome, call, side and strike, spread over threads. */
export async function runMatrix(threads = availableParallelism()): Promise<OutcomeResult[]> {
  const shares = Array.from({ length: threads }, (_, first) =>
    inThread<OutcomeResult[]>("./crash-matrix-thread.ts", { first, step: threads }),
  );
  return (await Promise.all(shares)).flat();
}

/**
 * One line per outcome: the number of cases, the result without a strike, and the results with one.
 */
export function matrixText(results: readonly OutcomeResult[]): string {
  const lines = results.map(({ outcome, plain, cases, ends }) => {
    const name = [outcome.submit, outcome.status, outcome.late && "late"]
      .filter(Boolean)
      .join(", ");
    const others = Object.entries(ends).map(([end, count]) => `${end} ${count}`);
    return `${String(cases).padStart(6)}  ${name}: ${plain}; struck: ${others.join(", ")}`;
  });
  const cases = results.reduce((sum, result) => sum + result.cases, 0);
  const broken = results.flatMap((result) => result.broken);
  return [...lines, `${cases} cases, ${broken.length} broke an invariant`, ...broken].join("\n");
}
