import { createHash } from "node:crypto";
import { type Campaign, type PayoutRecord, rowsOf } from "../../../proof/chaos/checker/campaign.ts";

/** What may stand in no text of a campaign. */
const ACCOUNT = "73169500000001";

const FILE = `user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code
U-0,INR,100.05,Asha Rao,${ACCOUNT},HDFC0000001,HDFC
U-1,INR,20.00,Asha Rao,73169500000002,HDFC0000001,HDFC
U-2,THB,7.50,Asha Rao,73169500000003,,6
`;

const START = 1_760_000_000_000;
const time = (second: number): string => new Date(START + second * 1000).toISOString();
const beneficiary = (bank: string, account: string): string =>
  createHash("sha256").update(`${bank}\n${account}`).digest("hex").slice(0, 16);

const moves = (...steps: readonly string[]): PayoutRecord["transitions"] =>
  steps.map((step, at) => {
    const [event = "", from = "", to = ""] = step.split(" ");
    return { seq: at + 1, event, from, to };
  });

const APPROVED = ["approve awaiting_approval approved", "send approved submitting"];
const status = (state: string, currency: string, amount: string) => ({
  kind: "status",
  facts: { answer: "found", state, currency, amount },
});
const payout = (code: string, line: number, rest: Partial<PayoutRecord>): PayoutRecord => ({
  transaction_code: code,
  batch_id: "B1",
  line,
  currency: "INR",
  amount: "100.05",
  state: "settled",
  reason: null,
  attempts: [{ number: 1, opened_at: time(1) }],
  evidence: [],
  transitions: [],
  ...rest,
});

function auditLine(before: string, seq: number, action: string) {
  const line = { seq, at: time(0), actor: "cli", action, object: "B1", facts: '{"payouts":3}' };
  const text = JSON.stringify([seq, line.at, line.actor, action, line.object, line.facts]);
  const hash = createHash("sha256").update(Buffer.from(before, "hex")).update(text).digest("hex");
  return { ...line, hash };
}

const booked = (seq: number, second: number, event: string, transaction_code: string) => ({
  seq,
  at: START + second * 1000,
  event,
  transaction_code,
  at_once: 2,
  questions: 1,
});

/**
 * Three payouts as they should be: one settled at the second attempt, one declined, one that is paid and held because
 * the gateway contradicted itself. A test doctors one thing in it.
 */
export function smallCampaign() {
  const first = auditLine("00".repeat(32), 1, "take_in");
  return {
    rows: rowsOf("one.csv", FILE),
    batches: [{ batch_id: "B1", file: "one.csv", state: "finished_with_exceptions" }],
    payouts: [
      payout("SETTLED", 2, {
        attempts: [
          { number: 1, opened_at: time(1) },
          { number: 2, opened_at: time(5) },
        ],
        evidence: [status("completed", "INR", "100.05")],
        transitions: moves(
          ...APPROVED,
          "doubt submitting in_doubt",
          "resend in_doubt submitting",
          "accept submitting accepted",
          "settle accepted settled",
        ),
      }),
      payout("DECLINED", 3, {
        amount: "20.00",
        state: "declined",
        evidence: [{ kind: "answer", facts: { outcome: "declined" } }],
        transitions: moves(...APPROVED, "decline submitting declined"),
      }),
      payout("HELD", 4, {
        currency: "THB",
        amount: "7.50",
        state: "held",
        transitions: moves(...APPROVED, "accept submitting accepted", "hold accepted held"),
      }),
    ],
    audit: [first, auditLine(first.hash, 2, "approve")],
    book: [
      { ...booked(1, 2, "request", "SETTLED"), fault: "cut_before" },
      { ...booked(2, 2, "refused", "DECLINED"), code: "121" },
      {
        ...booked(3, 3, "accepted", "HELD"),
        currency: "THB",
        amount: "7.5",
        payee: beneficiary("6", "73169500000003"),
      },
      {
        ...booked(4, 6, "accepted", "SETTLED"),
        currency: "INR",
        amount: "100.05",
        payee: beneficiary("HDFC", ACCOUNT),
      },
      { ...booked(5, 7, "settled", "HELD"), currency: "THB", amount: "7.5" },
      { ...booked(6, 8, "settled", "SETTLED"), currency: "INR", amount: "100.05" },
    ],
    texts: [{ name: "worker.log", text: "claimed SETTLED, account …0001\n" }],
    bounds: { at_once_max: 4, secrets: ["7316950\\d{7}", "demo-secret"] },
  } satisfies Campaign;
}
