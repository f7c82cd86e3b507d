import type { PayoutRow, Tables } from "./tables.ts";

/**
 * A copy of the current ledger for a later restore (F25, F26). The journal belongs to the checker
 * and continues.
 */
export function copyOf({
  batches,
  payouts,
  retryBatches,
  descendants,
  lanes,
  lanePauses,
  laneRates,
  sendTimes,
  health,
  finalStates,
  processing,
  unknownAnswers,
  strayCallbacks,
  payoutActions,
  proposals,
  listed,
  audit,
  epoch,
}: Tables): Partial<Tables> {
  const copies = new Map<PayoutRow, PayoutRow>(
    payouts.map((row) => [
      row,
      {
        ...row,
        attempted: [...row.attempted],
        transitions: [...row.transitions],
        evidence: [...row.evidence],
      },
    ]),
  );
  const copied = (rows: readonly PayoutRow[]) => rows.map((row) => copies.get(row) ?? row);
  return {
    batches: new Map(
      [...batches].map(([id, batch]) => [
        id,
        {
          ...batch,
          turns: new Map(batch.turns),
          payouts: new Map([...batch.payouts].map(([lane, rows]) => [lane, copied(rows)])),
        },
      ]),
    ),
    payouts: [...copies.values()],
    byCode: new Map([...copies.values()].map((row) => [row.order.transactionCode, row])),
    retryBatches: new Map(retryBatches),
    descendants: new Map(descendants),
    lanes: new Map([...lanes].map(([lane, row]) => [lane, { ...row }])),
    lanePauses: new Map(lanePauses),
    laneRates: new Map(laneRates),
    sendTimes: new Map(sendTimes),
    health: new Map(health),
    finalStates: new Map(finalStates),
    processing: new Map([...processing].map(([lane, hours]) => [lane, new Map(hours)])),
    unknownAnswers: new Map(unknownAnswers),
    strayCallbacks: [...strayCallbacks],
    payoutActions: new Map(payoutActions),
    proposals: new Map(proposals),
    listed,
    audit: [...audit],
    epoch: { ...epoch },
  };
}
