/** Why a batch is in quarantine: it may pay what was paid in the history that a restored ledger has lost. */
export interface QuarantineCause {
  readonly cause: "frozen" | "lost_file" | "lost_payouts";
  /** The batch that the ledger has forgotten; null: the ledger was frozen when this batch arrived. */
  readonly lostBatch: string | null;
  readonly lostFile: string | null;
  readonly lostAt: Date | null;
  /** How many payouts of the batch it concerns. */
  readonly rows: number;
  readonly at: Date;
  readonly decision: "kept" | "released" | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
}

export interface Quarantined {
  readonly kind: "quarantined";
  readonly causes: readonly QuarantineCause[];
}

/** The causes that keep it from being approved and sent. */
export const openCauses = (causes: readonly QuarantineCause[]): readonly QuarantineCause[] =>
  causes.filter(({ decision }) => decision !== "released");

/** The danger, for everybody who may want to pay the batch. */
export const sayDanger = (causes: readonly QuarantineCause[]): readonly string[] => [
  ...causes.map(sayCause),
  "Where its payouts were paid in the lost history, sending it pays them a second time. Compare each of them with the gateway's records from the time of the backup on before anybody decides about it.",
];

export function sayCause({ cause, lostBatch, lostFile, lostAt, rows }: QuarantineCause): string {
  const lost = `batch ${lostBatch} (${lostFile}, taken in ${lostAt?.toISOString()}), which this ledger has forgotten`;
  const many = rows === 1 ? "1 of its payouts is" : `${rows} of its payouts are`;
  switch (cause) {
    case "frozen":
      return "It arrived while the ledger was frozen, so it may have been paid in the history that was lost.";
    case "lost_file":
      return `Its file was ${lost}. It may have been paid.`;
    case "lost_payouts":
      return `${many} in ${lost}: same account and amount. They may have been paid.`;
  }
}
