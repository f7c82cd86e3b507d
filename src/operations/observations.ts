import type { FreezeCause } from "#integrity/freeze-causes.ts";

/** The observed state of an installation at one moment. Ages are in milliseconds. */
export interface Observations {
  readonly freeze: { readonly cause: FreezeCause; readonly reason: string } | null;
  readonly isDurable: boolean;
  /** Clock of the database minus clock of the server, in milliseconds. */
  readonly databaseOffsetMs: number;
  /** Null: the queue could not be queried. */
  readonly queue: {
    /** The eviction policy of Redis. Null: the queue is in PostgreSQL. */
    readonly policy: string | null;
    /** Why the queue accepts or delivers no jobs, as a sentence. Null: no obstacle is known. */
    readonly obstacle: string | null;
    readonly oldestWaitMs: number | null;
  } | null;
  readonly workers: readonly {
    readonly works: boolean;
    /** The build: version and commit. */
    readonly version: string;
    readonly seenAgoMs: number;
    /** Milliseconds since the worker last searched for work. If it never has: since it started. */
    readonly sweptAgoMs: number;
    readonly gatewayOffsetMs: number | null;
  }[];
  /** The build of the observing process. */
  readonly version: string;
  readonly inDoubt: { readonly count: number; readonly oldestMs: number };
  /** Payouts on hold because the gateway may have paid them twice. */
  readonly takenTwice: number;
  /**
   * Batches that are approved, or whose payouts are at the gateway, without the required approvals.
   */
  readonly unapproved: readonly string[];
  readonly held: { readonly count: number; readonly oldestMs: number };
  readonly deposits: Readonly<
    Record<"in_doubt" | "manual", { readonly count: number; readonly oldestMs: number }>
  >;
  /** Accepted payouts without a readable status answer for longer than the alarm's threshold. */
  readonly silent: readonly {
    /** Display name of the lane. */
    readonly name: string;
    readonly count: number;
    readonly isMore: boolean;
    readonly code: string;
    readonly silentMs: number;
  }[];
  readonly stopped: readonly {
    readonly lane: string;
    /** Display name of the lane. */
    readonly name: string;
    readonly reason: string;
    readonly needs: "wait" | "person" | "answers";
    readonly breaker: string;
    readonly sinceMs: number;
  }[];
  /** Webhooks with undelivered events, the one that waits longest first. */
  readonly webhooks: readonly { readonly name: string; readonly behindMs: number }[];
  /** Approved batches that are not sent until a person decides. */
  readonly waiting: readonly { readonly batchId: string; readonly reason: string }[];
  readonly paused: readonly {
    /** Display name of the lane, or "every lane". */
    readonly name: string;
    readonly reason: string;
  }[];
  /** Counts of the last ten minutes. */
  readonly recentCounts: {
    readonly tries: number;
    readonly duplicate: number;
    readonly unmapped: number;
    readonly strayCallbacks: number;
  };
}
