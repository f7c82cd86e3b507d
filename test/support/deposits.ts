import type { Depositor, DepositOrder } from "#deposit/deposit.ts";
import type { DepositAccepted, DepositOutcome } from "#deposit/outcome.ts";
import type { DepositDeps } from "#flows/deposits/deps.ts";
import { type DepositWish, requestDeposit } from "#flows/deposits/request.ts";
import type { GatewayClient } from "#gateway/client.ts";
import type { Evidence } from "#gateway/exchange.ts";
import type { StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import { flowDeps, toldGateway } from "./flow.ts";
import type { TestLedger } from "./ledger.ts";

const EVIDENCE: Evidence = {
  httpStatus: 200,
  code: null,
  text: "",
  elapsedMs: 1,
  dateOffsetMs: null,
};

/** A gateway that answers about deposits as it is told, and remembers what it was asked. A fake for faults alone. */
export interface ToldDeposits extends GatewayClient {
  request: (order: DepositOrder) => DepositOutcome | Promise<DepositOutcome>;
  account: (depositor: Depositor) => DepositOutcome;
  about: (code: string) => StatusAnswer;
  readonly requests: DepositOrder[];
  readonly accounts: Depositor[];
  readonly references: string[];
  readonly questions: string[];
}

export const ACCEPTED: DepositAccepted = {
  kind: "accepted",
  gatewayNumber: "DP1697797081482",
  amount: "500.00",
  destination: { kind: "upi", upiId: "pay@bank", qrUrl: null },
  expiry: null,
};

/** Step 1 of KRW. */
export const BANK = {
  kind: "awaiting_bank",
  amount: "50000",
  banks: [{ code: "004", name: "KB" }],
} as const;

export const KRW_ACCOUNT: DepositAccepted = {
  ...ACCEPTED,
  amount: "50000.00",
  destination: {
    kind: "krw_account",
    bankName: "Shinhan",
    accountName: "Receiver",
    accountNumber: "110222333444",
  },
};

export const SILENCE: DepositOutcome = { kind: "in_doubt", code: "timeout", text: "no answer" };

/** What the gateway says of a code, unless told otherwise our INR 500.00. */
export const record = (
  transactionCode: string,
  state: StatusRecord["state"],
  change: Partial<StatusRecord> = {},
): StatusAnswer => ({
  kind: "found",
  record: {
    transactionCode,
    state,
    amount: "500.00",
    currency: "INR",
    gatewayNumber: "DP1697797081482",
    fee: "0.00",
    ...change,
  },
});

export function toldDeposits(): ToldDeposits {
  const { submitPayout, status, probe, close } = toldGateway();
  const gateway: ToldDeposits = {
    submitPayout,
    status,
    probe,
    close,
    request: () => ACCEPTED,
    account: () => KRW_ACCOUNT,
    about: (code) => record(code, "pending"),
    requests: [],
    accounts: [],
    references: [],
    questions: [],
    async requestDeposit(order) {
      gateway.requests.push(order);
      return { kind: "attempted", outcome: await gateway.request(order), evidence: EVIDENCE };
    },
    async submitDepositor(depositor) {
      gateway.accounts.push(depositor);
      return { kind: "attempted", outcome: gateway.account(depositor), evidence: EVIDENCE };
    },
    async submitReference({ reference }) {
      gateway.references.push(reference);
      return { kind: "attempted", outcome: { kind: "taken" }, evidence: EVIDENCE };
    },
    balance: () => Promise.reject(new Error("not asked here")),
    async depositStatus(_currency, code) {
      gateway.questions.push(code);
      return { answer: gateway.about(code), evidence: EVIDENCE };
    },
  };
  return gateway;
}

/** Everything that the flows of deposits need, over a real ledger. */
export function depositDeps(open: TestLedger, gateway: ToldDeposits) {
  const world = flowDeps(open.ledger, gateway);
  const { database, sealer } = open;
  const deps: DepositDeps = { ...world.deps, gateway, database, sealer };
  return { ...world, deps };
}

export const WISH: DepositWish = {
  currency: "INR",
  amount: "500",
  details: { user_id: "U-1", deposit_name: "Asha Rao" },
  paymentCode: "P01",
  reference: "ORDER-1",
  request: null,
  actor: "user:US1",
};

export const KRW_WISH: DepositWish = { ...WISH, currency: "KRW", amount: "50000" };

/** Asks for a deposit; a refusal is a failed test. */
export async function newDeposit(
  deps: DepositDeps,
  change: Partial<DepositWish> = {},
): Promise<string> {
  const made = await requestDeposit({ ...WISH, ...change }, deps);
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  return made.value;
}
