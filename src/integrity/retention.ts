/**
 * The kinds of data with a retention rule. Without a rule, payrun keeps data indefinitely. Codes,
 * results, approvals and the audit log have no rule: payrun always keeps them.
 */
// biome-ignore format: the columns are the point
export const RETENTION_KINDS = {
  payout_details: { deletes: false, daysMin: 1,  keeps: "details of payouts (minimum: a person is not erased earlier)" },
  rejected_rows:  { deletes: true,  daysMin: 30, keeps: "rejected rows, and rows with findings, of finished batches" },
  deliveries:     { deletes: true,  daysMin: 30, keeps: "log of delivered and failed messages to channels" },
  notifications:  { deletes: true,  daysMin: 30, keeps: "personal notifications that were read" },
  sessions:       { deletes: true,  daysMin: 30, keeps: "ended sessions of users" },
} as const satisfies Readonly<Record<string, { deletes: boolean; daysMin: number; keeps: string }>>;

export type RetentionKind = keyof typeof RETENTION_KINDS;

export const RETENTION_KIND_NAMES = Object.keys(RETENTION_KINDS) as readonly RetentionKind[];

/** Maximum number of days of a rule. */
export const RETENTION_DAYS_MAX = 36_500;

/** The days that each kind is kept. Null: it has no rule. */
export type RetentionRules = Readonly<Record<RetentionKind, number | null>>;

export interface RetentionPolicy {
  readonly rules: RetentionRules;
  /** The reason for a legal hold, during which payrun deletes no data. Null: there is none. */
  readonly hold: string | null;
}

/** Returns whether data could be deleted earlier after the change than before it. */
export const deletesEarlier = (before: RetentionPolicy, after: RetentionPolicy): boolean =>
  (before.hold !== null && after.hold === null) ||
  RETENTION_KIND_NAMES.some((kind) => {
    const without = RETENTION_KINDS[kind].deletes ? Number.POSITIVE_INFINITY : 0;
    return (after.rules[kind] ?? without) < (before.rules[kind] ?? without);
  });

/**
 * Returns the time after which a payout must have changed so that its details must be kept. Null:
 * no rule keeps them.
 */
export function keptAfterOf({ rules, hold }: RetentionPolicy, nowMs: number): Date | null {
  if (hold !== null) return new Date(0);
  const days = rules.payout_details;
  return days === null ? null : new Date(nowMs - days * DAY_MS);
}

const DAY_MS = 86_400_000;
