/**
 * Result of a payout under each fault of the gateway. The beginning of the code selects a fault.
 * `times` or `first` end it, so that the payout can finish. LEFT_OUT has the remaining faults with
 * the reason.
 */
export interface FaultCase {
  readonly fault: string;
  readonly rule?: Readonly<Record<string, unknown>>;
  /** Further rules for the same payout. */
  readonly also?: readonly Readonly<Record<string, unknown>>[];
  readonly ends: "settled" | "declined" | "on_hold";
  readonly reason?: RegExp;
  /** How often the gateway's transaction log accepts the code. */
  readonly accepted: number;
}

const once = { times: 1 };
const lost = { fault: "cut_after" };

const settled = (fault: string, rule: Readonly<Record<string, unknown>> = {}): FaultCase => ({
  fault,
  rule,
  ends: "settled",
  accepted: 1,
});
const declined = (fault: string): FaultCase => ({
  fault,
  ends: "declined",
  reason: /^refused: /,
  accepted: 0,
});
const held = (fault: string, reason: RegExp, accepted = 1): FaultCase => ({
  fault,
  ends: "on_hold",
  reason,
  accepted,
});

// biome-ignore format: the columns are the point
export const CASES: readonly FaultCase[] = [
  declined("code_109"), declined("code_120"), declined("code_121"), declined("code_122"),
  held("code_111", /^duplicate_not_shown/, 0),
  settled("code_112", once), settled("code_113", once),
  settled("code_117", once), settled("code_123", once), settled("code_131", once), settled("code_999", once),

  ...["cut_before", "reset_before", "hang_before", "http_500_before", "http_502_before", "http_503_before",
    "http_429", "http_403", "redirect", "html_before", "empty_before", "odd_before"]
    .map((fault) => settled(fault, once)),
  ...["cut_after", "reset_after", "hang_after", "huge", "broken_off", "truncated", "http_500_after",
    "http_502_after", "http_429_after", "html_after", "empty_after", "odd_after", "code_123_after"]
    .map((fault) => settled(fault)),
  settled("slow", { delay_ms: 300 }), settled("slow_store", { delay_ms: 300 }), settled("drip", { delay_ms: 20 }),

  settled("late_arrival", { delay_ms: 400, times: 1 }),
  held("other_payee", /^code_not_ours/, 0),
  held("burn", /^duplicate_not_shown/, 0),
  settled("forget", { delay_ms: 600_000 }),

  settled("status_lag", { delay_ms: 600 }), settled("status_unknown", { first: 2 }), settled("status_pending", { first: 3 }),
  // An acceptance whose answer was lost, at a gateway that does not find it at first: sent again,
  // refused with 111.
  { ...settled("status_lag", { delay_ms: 1_500 }), also: [lost] },
  held("status_wrong_amount", /^amount_mismatch/), held("status_wrong_currency", /^amount_mismatch/),
  held("status_contradiction", /^unclear_status/), held("status_manual", /^manual_process/),
  held("status_zero", /^unclear_status/), held("status_rivals", /^two_records/),
  { fault: "status_failed", ends: "declined", reason: /^failed_at_gateway/, accepted: 1 },
  settled("status_flip"), settled("status_reversed"), settled("status_backwards"), settled("status_twins"),
  settled("status_other_fee"), settled("status_odd_fee"),
  settled("status_stranger", { first: 2 }),
  ...["status_garbage", "status_html", "status_500", "status_401", "status_115", "status_cut", "status_hang"]
    .map((fault) => settled(fault, { first: 2 })),
  settled("status_slow", { delay_ms: 200 }),
];

/**
 * Faults that affect the whole lane: one lane (a currency) for each. `person`: it waits for a
 * person.
 */
// biome-ignore format: the columns are the point
export const LANE_CASES = [
  { fault: "code_115", currency: "INR", needs: "person" },
  { fault: "code_118", currency: "THB", needs: "person" },
  { fault: "code_124", currency: "PHP", needs: "person" },
  { fault: "code_110", currency: "MYR", needs: "person" },
  { fault: "code_114", currency: "CNY", needs: "person" },
  { fault: "http_401", currency: "TRY", needs: "person" },
  { fault: "code_116", currency: "KRW", needs: "wait" },
  { fault: "code_119", currency: "IDR", needs: "wait" },
] as const;

/** Faults with their own test. */
export const LEFT_OUT = [
  "race", // The simulator pays twice on purpose, to test the comparison: see "a gateway that pays twice"
] as const;
