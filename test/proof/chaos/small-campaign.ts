import { createHash, createHmac, hkdfSync } from "node:crypto";
import { type Campaign, type PayoutRecord, rowsOf } from "../../../proof/chaos/checker/campaign.ts";

/** Text that may appear nowhere in a campaign. */
const ACCOUNT = "73169500000001";

const FILE = `user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code
U-0,INR,100.05,Asha Rao,${ACCOUNT},HDFC0000001,HDFC
U-1,INR,20.00,Asha Rao,73169500000002,HDFC0000001,HDFC
U-2,THB,7.50,Asha Rao,73169500000003,,6
`;

const DAILY = `user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code
U-3,PHP,5.00,Asha Rao,73169500000004,,bpi
`;

const CANARY = `user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code
U-4,MYR,1.00,Asha Rao,73169500000005,,mbb
U-5,MYR,2.00,Asha Rao,73169500000006,,mbb
`;

const START = 1_760_000_000_000;
const time = (second: number): string => new Date(START + second * 1000).toISOString();
const beneficiary = (bank: string, account: string): string =>
  createHash("sha256").update(`${bank}\n${account}`).digest("hex").slice(0, 16);

/** "event from to second" */
const moves = (...steps: readonly string[]): PayoutRecord["transitions"] =>
  steps.map((step, at) => {
    const [event = "", from = "", to = "", second = "1"] = step.split(" ");
    return { seq: at + 1, event, from, to, at: time(Number(second)) };
  });

const daily = { currency: "PHP", amount: "5.00" };
const APPROVED = ["approve awaiting_approval approved", "send approved submitting"];
const status = (state: string, currency: string, amount: string) => ({
  kind: "status",
  at: time(8),
  facts: { answer: "found", state, currency, amount },
});
const REFUSED = { kind: "answer", at: time(2), facts: { outcome: "declined" } };
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

const PAYRUN_KEY = "5f".repeat(32);
const signingKey = Buffer.from(
  hkdfSync("sha256", Buffer.from(PAYRUN_KEY, "hex"), "", "payrun audit v1", 32),
);

function auditLine(before: string, seq: number, action: string, object = "B1", facts = "{}") {
  const line = { seq, at: time(seq === 5 ? 9 : 0), actor: "cli", action, object, facts, key: 1 };
  const text = JSON.stringify([
    seq,
    line.at,
    line.actor,
    action,
    line.object,
    line.facts,
    line.key,
  ]);
  const hash = createHmac("sha256", signingKey)
    .update(Buffer.from(before, "hex"))
    .update(text)
    .digest("hex");
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
 * Three correct payouts: one settled at the second attempt, one declined, one paid and on hold
 * because the gateway contradicted itself. Two batches of a schedule, one released and one waiting.
 * A batch whose first payout settled before the other was sent. A test manipulates one detail of
 * the campaign.
 */
export function smallCampaign() {
  const first = auditLine("00".repeat(32), 1, "take_in");
  const second = auditLine(first.hash, 2, "approve");
  const third = auditLine(second.hash, 3, "approve", "B2");
  const fourth = auditLine(third.hash, 4, "approve", "B3");
  const fifth = auditLine(fourth.hash, 5, "release", "B2");
  const sixth = auditLine(fifth.hash, 6, "approve", "B4");
  const released = JSON.stringify({ lanes: ["M1/MYR"], reason: null });
  return {
    rows: [
      ...rowsOf("one.csv", FILE),
      ...rowsOf("daily 1.csv", DAILY),
      ...rowsOf("daily 2.csv", DAILY),
      ...rowsOf("canary.csv", CANARY),
    ],
    batches: [
      { batch_id: "B1", file: "one.csv", state: "finished_with_exceptions" },
      { batch_id: "B2", file: "daily 1.csv", state: "approved" },
      { batch_id: "B3", file: "daily 2.csv", state: "approved" },
      { batch_id: "B4", file: "canary.csv", state: "finished" },
    ],
    payouts: [
      payout("SETTLED", 2, {
        attempts: [
          { number: 1, opened_at: time(1) },
          { number: 2, opened_at: time(5) },
        ],
        evidence: [
          status("completed", "INR", "100.05"),
          { kind: "status", at: time(2.5), facts: { answer: "no_answer" } },
        ],
        transitions: moves(
          ...APPROVED,
          "doubt submitting in_doubt 2",
          "resend in_doubt submitting 5",
          "accept submitting accepted 6",
          "settle accepted settled 9",
        ),
      }),
      payout("DECLINED", 3, {
        amount: "20.00",
        state: "declined",
        evidence: [REFUSED],
        transitions: moves(...APPROVED, "decline submitting declined"),
      }),
      payout("HELD", 4, {
        currency: "THB",
        amount: "7.50",
        state: "on_hold",
        transitions: moves(...APPROVED, "accept submitting accepted", "hold accepted on_hold"),
      }),
      payout("DAILY", 2, {
        ...daily,
        batch_id: "B2",
        state: "declined",
        attempts: [{ number: 1, opened_at: time(10) }],
        evidence: [REFUSED],
        transitions: moves(...APPROVED, "decline submitting declined"),
      }),
      payout("WAITS", 2, {
        ...daily,
        batch_id: "B3",
        state: "approved",
        attempts: [],
        transitions: moves(...APPROVED.slice(0, 1)),
      }),
      payout("FIRST", 2, {
        currency: "MYR",
        amount: "1.00",
        batch_id: "B4",
        evidence: [status("completed", "MYR", "1.00")],
        transitions: moves(
          ...APPROVED,
          "accept submitting accepted 2",
          "settle accepted settled 4.5",
        ),
      }),
      payout("REST", 3, {
        currency: "MYR",
        amount: "2.00",
        batch_id: "B4",
        state: "declined",
        attempts: [{ number: 1, opened_at: time(6) }],
        evidence: [REFUSED],
        transitions: moves(...APPROVED, "decline submitting declined 7"),
      }),
    ],
    audit: [
      first,
      second,
      third,
      fourth,
      fifth,
      sixth,
      auditLine(sixth.hash, 7, "release_canary", "B4", released),
    ],
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
      { ...booked(7, 11, "refused", "DAILY"), code: "121" },
      {
        ...booked(8, 2, "accepted", "FIRST"),
        currency: "MYR",
        amount: "1",
        payee: beneficiary("mbb", "73169500000005"),
      },
      { ...booked(9, 3, "settled", "FIRST"), currency: "MYR", amount: "1" },
      { ...booked(10, 7, "refused", "REST"), code: "121" },
    ],
    texts: [{ name: "worker.log", text: "claimed SETTLED, account …0001\n" }],
    bounds: {
      at_once_max: 4,
      secrets: ["7316950\\d{7}", "demo-secret"],
      payrun_key: PAYRUN_KEY,
      occurrences: [
        { file: "daily 1.csv", sent: true },
        { file: "daily 2.csv", sent: false },
      ],
      lanes: [
        { kind: "limit", currency: "INR", from: START, to: START + 10_000, rate: 1 },
        { kind: "freeze", currency: "THB", from: START + 2_000, to: START + 9_000 },
        { kind: "drain", currency: "INR", from: START + 1_500, to: START + 9_000 },
      ],
      canaries: [{ file: "canary.csv", payouts: 1 }],
      ceilings: [{ currency: "INR", payouts: 0 }],
    },
  } satisfies Campaign;
}
