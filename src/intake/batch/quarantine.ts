/**
 * The reason why a batch is in quarantine: it may pay what was already paid in the history that a
 * restored ledger has lost.
 */
export interface QuarantineCause {
  readonly cause: "frozen" | "lost_file" | "lost_payouts";
  /**
   * The batch that the ledger has lost. Null: the ledger was frozen when this batch was uploaded.
   */
  readonly lostBatch: string | null;
  readonly lostFile: string | null;
  readonly lostAt: Date | null;
  /** Number of payouts of the batch that are affected. */
  readonly rows: number;
  readonly at: Date;
  readonly decision: "kept" | "released" | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
}

export interface QuarantineRefusal {
  readonly kind: "quarantined";
  readonly causes: readonly QuarantineCause[];
}

/** Returns the causes that still prevent approval and sending. */
export const openCauses = (causes: readonly QuarantineCause[]): readonly QuarantineCause[] =>
  causes.filter(({ decision }) => decision !== "released");

/** Describes the danger to everyone who may want to pay the batch. */
export const riskText = (causes: readonly QuarantineCause[]): readonly string[] => [
  ...causes.map(causeText),
  "Sending the batch could pay its payouts a second time if they were already paid in the lost history. Before you decide, compare each payout with the gateway's records since the backup.",
];

/** Describes in a sentence why a batch is quarantined. */
export function causeText({ cause, lostBatch, lostFile, lostAt, rows }: QuarantineCause): string {
  const lost = `batch ${lostBatch} (${lostFile}, uploaded ${lostAt?.toISOString()}), which this ledger has lost`;
  const many = rows === 1 ? "1 of its payouts is" : `${rows} of its payouts are`;
  switch (cause) {
    case "frozen":
      return "It was uploaded while the ledger was frozen, so it may have been paid in the history that the ledger has lost.";
    case "lost_file":
      return `The same file was previously uploaded as ${lost}. It may have been paid.`;
    case "lost_payouts":
      return `${many} also in ${lost}, with the same account and amount. They may have been paid.`;
  }
}
