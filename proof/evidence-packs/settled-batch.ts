import { Readable } from "node:stream";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import { formatMoney } from "#money/format.ts";
import { laneOf } from "#payout/payout.ts";

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,transaction_code,reference";
const CLAIM = {
  worker: "proof",
  keyId: "k1",
  leaseMs: 60_000,
  inDoubtLimit: { count: 500, minor: null },
};

/** A batch with payouts of which the first ones settle and the last one is still accepted. */
export interface SettledBatch {
  readonly batchId: string;
  readonly codes: readonly string[];
}

interface Deps {
  readonly ledger: PayingLedger;
  readonly keyring: Keyring;
}

/**
 * Ingests and approves a batch.
 *
 * @param mark distinguishes the batch from others.
 */
async function createApprovedBatch(
  rows: number,
  mark: string,
  { ledger, keyring }: Deps,
): Promise<SettledBatch> {
  const codes = Array.from({ length: rows }, (_, row) => `${mark}-${row + 1}`);
  const lines = codes.map(
    (code, row) =>
      `U-${code},INR,${100 + row}.50,Asha Rao,${hashOf(mark) + row},HDFC0000001,HDFC,HDFC Bank,${code},${code}`,
  );
  const open = () => Readable.from([Buffer.from(`${HEADER}\n${lines.join("\n")}\n`)]);
  const upload = { fileName: `${mark}.csv`, open, actor: "proof:maker" };
  const taken = await ingest(upload, { ledger, keyring, rows: DEFAULT_ROW_SETTINGS });
  if (!taken.ok) throw new Error(JSON.stringify(taken.error));
  const { batch } = taken.value;
  const { id: batchId, contentDigest } = batch;
  const seen = { actor: "proof:checker", contentDigest, totals: totalsOf(batch) };
  const approved = await approve(batchId, seen, { ledger });
  if (!approved.ok) throw new Error(JSON.stringify(approved.error));
  return { batchId, codes };
}

/**
 * Creates and sends a batch without a gateway. Every payout except the last one settles, shown by a
 * status answer.
 */
export async function createSettledBatch(
  rows: number,
  mark: string,
  deps: Deps,
): Promise<SettledBatch> {
  const { ledger, keyring } = deps;
  const { batchId, codes } = await createApprovedBatch(rows, mark, deps);
  await ledger.integrity.verify();
  const lane = laneOf(keyring.forCurrency("INR")?.merchantCode ?? "", "INR");
  for (;;) {
    const attempts = await ledger.payout.openAttempts({ ...CLAIM, batchId, lane, sizeMax: 100 });
    if (attempts.length === 0) return { batchId, codes };
    for (const { payoutId, seq, order } of attempts) {
      const { transactionCode, money } = order;
      const about = { payoutId, reason: null, dueInMs: 0, actor: "proof" };
      const answer = { kind: "answer", attempt: 1, facts: { outcome: "accepted" } } as const;
      await ledger.payout.move({
        ...about,
        seq,
        from: "submitting",
        event: "accept",
        evidence: answer,
      });
      if (transactionCode === codes.at(-1)) continue;
      const record = {
        answer: "found",
        transactionCode,
        state: "completed",
        amount: formatMoney(money),
        currency: money.currency,
        gatewayNumber: `WD${transactionCode}`,
        fee: null,
      };
      const evidence = { kind: "status", attempt: null, facts: record } as const;
      const gatewayNumber = record.gatewayNumber;
      await ledger.payout.move({
        ...about,
        seq: seq + 1,
        from: "accepted",
        event: "settle",
        gatewayNumber,
        evidence,
      });
    }
  }
}

/** A base for account numbers, so that batches pay different people. */
const hashOf = (mark: string): number =>
  [...mark].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 9_999_999, 7) * 10_000 +
  50_100_000_000_000;
