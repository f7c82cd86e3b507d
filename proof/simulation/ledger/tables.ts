import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { Priority } from "#payout/priority.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { RejectedRow } from "#intake/row.ts";
import type { CircuitBreaker } from "#payout/circuit-breakers.ts";
import type { LaneRate } from "#payout/lane/rate-limit.ts";
import type { PayoutEvent, PayoutState } from "#payout/payout-lifecycle.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import type { SendTime } from "#schedule/release.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";
import type { LeftReason } from "#payout/action/payout-action.ts";

/** The tables of migrations/ in memory: the part visible to the flows. Times are milliseconds. */
export interface Tables {
  batches: Map<string, BatchRow>;
  /** The index is the payout's id minus one. */
  payouts: PayoutRow[];
  byCode: Map<string, PayoutRow>;
  /** Beneficiary and amount, for the comparison with earlier batches. */
  byAccount: Map<string, PayoutRow[]>;
  /** The batch that each retry batch retries. */
  retryBatches: Map<string, string>;
  /** By the id of the payout that retries another one. */
  descendants: Map<number, DescendantRow>;
  lanes: Map<string, LaneRow>;
  lanePauses: Map<string, LanePauseRow>;
  /** Unlike in the product, a lane without restrictions may have a row. */
  laneRates: Map<string, LaneRateRow>;
  sendTimes: Map<string, SendTimeRow>;
  /** The longest processing time by lane and hour. */
  processing: Map<string, Map<number, number>>;
  /** Results of the last submissions of a lane. */
  health: Map<string, { readonly marks: string; readonly atMs: number }>;
  /** When an accepted payout of the lane last became final. */
  finalStates: Map<string, number>;
  /** By lane and answer. */
  unknownAnswers: Map<
    string,
    { readonly lane: string; readonly times: number; readonly isLooked: boolean }
  >;
  strayCallbacks: string[];
  /** Previews and results of actions on many payouts. */
  payoutActions: Map<string, ActionRow>;
  /** Open proposals of results, by payout. */
  proposals: Map<number, ListedResult & { readonly actionId: string; readonly seq: number }>;
  /** Lines of the current statement, by code. An upload replaces them. */
  listed: ReadonlyMap<string, readonly ListedLine[]>;
  audit: AuditRow[];
  /** Which server wrote last, and whether anything may be sent. */
  epoch: {
    readonly number: number;
    readonly frozenMs: number | null;
    readonly reason: string;
    /** The last payout that existed at the most recent freeze. */
    readonly knownUntil: number;
    server: number;
  };
  /** The payout of each change of state, in the order of the changes. */
  journal: PayoutRow[];
}

export interface BatchRow {
  readonly id: string;
  readonly digest: string;
  readonly contentDigest: string;
  readonly fileName: string;
  state: BatchState;
  reason: string | null;
  readonly rows: number;
  readonly rejected: readonly RejectedRow[];
  cancelling: boolean;
  canary: number;
  /** By lane. Replaced as a whole, so that a copy of the batch keeps its own. */
  canaries: ReadonlyMap<string, CanaryRow>;
  readonly facts: Batch["facts"];
  readonly lanes: Batch["lanes"];
  /** By lane, in line order. */
  readonly payouts: ReadonlyMap<string, readonly PayoutRow[]>;
  readonly createdMs: number;
  approvedAt: Date | null;
  finishedAt: Date | null;
  readonly maker: string;
  priority: Priority;
  /** Turns taken, by lane. */
  readonly turns: Map<string, number>;
  readonly peopleNeeded: Batch["peopleNeeded"];
  readonly peopleWhy: string;
}

export interface DescendantRow {
  readonly parentId: number;
  /** The first one first, its parent last. */
  readonly ancestors: readonly number[];
  readonly live: boolean;
}

export interface CanaryRow {
  readonly payoutIds: readonly number[];
  readonly lastLine: number;
  readonly failed: string | null;
  readonly releasedMs: number | null;
  readonly releasedBy: string | null;
}

export interface PayoutRow {
  readonly id: number;
  readonly batchId: string;
  readonly line: number;
  readonly lane: string;
  order: PayoutOrder;
  readonly cells: readonly string[];
  /** The ingested content, for comparison with what is sent. */
  payload: string;
  state: PayoutState;
  reason: string | null;
  dueMs: number;
  seq: number;
  attempts: number;
  crashes: number;
  queryCount: number;
  statusAnswer: InconclusiveAnswer | null;
  statusAnswerTimes: number;
  /** Since when the counted answers agree, and when the last of them arrived. */
  statusAnswerSinceMs: number | null;
  statusAnswerAtMs: number | null;
  /** When the last attempt ended that may still be in progress. */
  unansweredMs: number | null;
  /** Its code was sent again after an attempt that may have arrived. */
  isRepeated: boolean;
  checkMs: number | null;
  /** Since when no status query about it had a readable answer. */
  silentMs: number | null;
  maybeArrived: boolean;
  gatewayNumber: string | null;
  firstSentMs: number | null;
  lastSentMs: number | null;
  /** When the gateway last answered a query about it while the ledger was frozen. */
  queriedMs: number | null;
  /** Append-only, like the tables of the same names. */
  readonly attempted: AttemptRow[];
  readonly transitions: TransitionRow[];
  readonly evidence: EvidenceRow[];
}

export interface AttemptRow {
  readonly number: number;
  readonly payload: string;
  readonly keyId: string;
  readonly worker: string;
}

export interface TransitionRow {
  readonly seq: number;
  readonly event: PayoutEvent;
  readonly from: PayoutState;
  readonly to: PayoutState;
  readonly reason: string | null;
  readonly actor: string;
}

export interface EvidenceRow {
  readonly kind: "answer" | "status" | "lease" | "callback";
  readonly attempt: number | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface LaneRow {
  reason: string | null;
  needs: LaneStop["until"] | null;
  breaker: CircuitBreaker | null;
  probes: number;
  retryMs: number | null;
  /** End of the pause that the gateway requested. */
  gatewayPauseUntilMs: number;
  stops: number;
  updatedMs: number;
}

export interface LaneRateRow extends LaneRate {
  readonly setBy: string | null;
  readonly setMs: number;
}

export interface LanePauseRow {
  readonly reason: string;
  readonly actor: string;
  readonly pausedMs: number;
  readonly untilMs: number | null;
  readonly finishing: readonly string[] | null;
}

export interface SendTimeRow extends SendTime {
  readonly released: boolean;
  readonly heldBack: string | null;
}

/** A preview with its rows and their outcomes. */
export interface ActionRow {
  readonly action: PayoutAction;
  readonly rows: readonly {
    readonly payoutId: number;
    readonly seq: number;
    readonly why: LeftReason | null;
    /** Only of a resolution. */
    readonly listed: ListedResult | null;
  }[];
  readonly outcomes: ReadonlyMap<number, LeftReason | "changed">;
}

/** A line of a statement. */
export interface ListedLine {
  readonly status: "completed" | "failed" | "returned";
  readonly gatewayNumber: string;
  readonly currency: string;
  /** In hundredths. */
  readonly amount: bigint;
  readonly atMs: number;
}

/** A result that statements list, with the lines as evidence. */
export interface ListedResult {
  readonly finding: "arrived" | "not_arrived";
  readonly evidence: string;
}

export interface AuditRow {
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Creates the tables of an empty ledger. */
export const emptyTables = (): Tables => ({
  batches: new Map(),
  payouts: [],
  byCode: new Map(),
  byAccount: new Map(),
  retryBatches: new Map(),
  descendants: new Map(),
  lanes: new Map(),
  lanePauses: new Map(),
  laneRates: new Map(),
  sendTimes: new Map(),
  health: new Map(),
  finalStates: new Map(),
  processing: new Map(),
  unknownAnswers: new Map(),
  strayCallbacks: [],
  payoutActions: new Map(),
  proposals: new Map(),
  listed: new Map(),
  audit: [],
  epoch: { number: 1, frozenMs: null, reason: "", knownUntil: 0, server: 1 },
  journal: [],
});
