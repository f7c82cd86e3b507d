/** What is seen of an installation at one moment. Ages are milliseconds. */
export interface Sight {
  readonly freeze: { readonly reason: string } | null;
  readonly isDurable: boolean;
  /** The database's clock less that of the server. */
  readonly databaseOffsetMs: number;
  /** Null: the queue could not be asked. */
  readonly queue: {
    /** Of Redis; null: the queue is in PostgreSQL. */
    readonly policy: string | null;
    /** Why Redis takes no jobs; null: it does, as far as it tells. */
    readonly obstacle: string | null;
    readonly oldestWaitMs: number | null;
  } | null;
  readonly workers: readonly {
    readonly works: boolean;
    readonly version: string;
    readonly seenAgoMs: number;
    /** Since it last looked for work; of one that never has, since it started. */
    readonly sweptAgoMs: number;
    readonly gatewayOffsetMs: number | null;
  }[];
  /** Of the process that looks. */
  readonly version: string;
  readonly inDoubt: { readonly count: number; readonly oldestMs: number };
  /** Payouts on hold because the gateway may have paid them twice. */
  readonly takenTwice: number;
  readonly held: { readonly count: number; readonly oldestMs: number };
  readonly deposits: Readonly<
    Record<"in_doubt" | "manual", { readonly count: number; readonly oldestMs: number }>
  >;
  /** Accepted, and no readable answer about them for longer than the alarm waits for. */
  readonly silent: readonly {
    readonly lane: string;
    readonly count: number;
    readonly isMore: boolean;
    readonly code: string;
    readonly silentMs: number;
  }[];
  readonly stopped: readonly {
    readonly lane: string;
    readonly reason: string;
    readonly needs: "wait" | "person" | "answers";
    readonly brake: string;
    readonly sinceMs: number;
  }[];
  /** Approved, and not sent on before a person says so. */
  readonly waiting: readonly { readonly batchId: string; readonly reason: string }[];
  readonly paused: readonly { readonly lane: string; readonly reason: string }[];
  /** In the last ten minutes. */
  readonly lately: {
    readonly tries: number;
    readonly duplicate: number;
    readonly unmapped: number;
    readonly strayCallbacks: number;
  };
}
