import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Depositor, DepositOrder } from "#deposit/deposit.ts";
import type { DepositAccepted, DepositOutcome } from "#deposit/outcome.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { followDeposit } from "#flows/deposit/follow.ts";
import { type DepositRequest, requestDeposit } from "#flows/deposit/request.ts";
import type { GatewayClient } from "#gateway/client.ts";
import type { Evidence } from "#gateway/exchange.ts";
import { type Deposit, findDeposit } from "#ledger/deposit/deposits.ts";
import type { StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway } from "./flow.ts";
import { openTestLedger, type TestLedger } from "./ledger.ts";
import { query } from "./servers/postgres.ts";

const EVIDENCE: Evidence = {
  httpStatus: 200,
  code: null,
  text: "",
  elapsedMs: 1,
  dateOffsetMs: null,
};

/** A gateway with set answers about deposits that records its requests. A fake, only for faults. */
export interface ScriptedDepositGateway extends GatewayClient {
  request: (order: DepositOrder) => DepositOutcome | Promise<DepositOutcome>;
  account: (depositor: Depositor) => DepositOutcome;
  about: (code: string) => StatusAnswer;
  readonly requests: DepositOrder[];
  readonly accounts: Depositor[];
  readonly references: string[];
  readonly queries: string[];
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

/** The gateway's answer about a code; by default our INR 500.00. */
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

export function scriptedDepositGateway(): ScriptedDepositGateway {
  const { submitPayout, status, probe, close } = scriptedGateway();
  const gateway: ScriptedDepositGateway = {
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
    queries: [],
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
      gateway.queries.push(code);
      return { answer: gateway.about(code), evidence: EVIDENCE };
    },
  };
  return gateway;
}

/** Everything that the deposit flows need, over a real ledger. */
function depositDeps(open: TestLedger, gateway: ScriptedDepositGateway) {
  const world = flowDeps(open.ledger, gateway);
  const deps: DepositDeps = { ...world.deps, gateway, ledger: open.ledger };
  return { ...world, deps };
}

export const REQUEST: DepositRequest = {
  currency: "INR",
  amount: "500",
  details: { user_id: "U-1", deposit_name: "Asha Rao" },
  paymentCode: "P01",
  reference: "ORDER-1",
  request: null,
  actor: "user:US1",
};

export const KRW_REQUEST: DepositRequest = { ...REQUEST, currency: "KRW", amount: "50000" };

/** Requests a deposit; a refusal fails the test. */
export async function newDeposit(
  deps: DepositDeps,
  change: Partial<DepositRequest> = {},
): Promise<string> {
  const made = await requestDeposit({ ...REQUEST, ...change }, deps);
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  return made.value;
}

const SORTED = { attempts: "number", evidence: "id", transitions: "seq" } as const;

interface DepositScene extends ReturnType<typeof depositDeps> {
  open: TestLedger;
  /** New for each test. */
  gateway: ScriptedDepositGateway;
  sql(text: string): Promise<Record<string, unknown>[]>;
  depositOf(code: string): Promise<Deposit>;
  stateOf(code: string): Promise<Deposit["state"]>;
  /** Moves its times back, as if this much time had passed. */
  older(code: string, by: string): Promise<void>;
  /** Does its due work. */
  follow(code: string): Promise<unknown>;
  /** Its entries in a history table. */
  told(
    table: keyof typeof SORTED,
    columns: string,
    code: string,
  ): Promise<Record<string, unknown>[]>;
}

/** A ledger for the file and a gateway for each of its tests. */
export function depositScene(): DepositScene {
  const sql = (text: string) => query(scene.open.url, text);
  const depositOf = async (code: string) => {
    const deposit = await findDeposit(scene.open.database, scene.open.sealer, code);
    if (!deposit) throw new Error(`no deposit ${code}`);
    return deposit;
  };
  const scene = {
    sql,
    depositOf,
    stateOf: async (code: string) => (await depositOf(code)).state,
    async older(code: string, by: string) {
      await sql(`update deposits set first_sent_at = first_sent_at - interval '${by}',
        last_sent_at = last_sent_at - interval '${by}', lease_until = lease_until - interval '${by}',
        expires_at = expires_at - interval '${by}', due_at = now() where transaction_code = '${code}'`);
    },
    async follow(code: string) {
      await sql(`update deposits set due_at = now()
        where due_at is not null and lease_until is null and transaction_code = '${code}'`);
      return followDeposit({ transactionCode: code }, scene.deps);
    },
    told: (table: keyof typeof SORTED, columns: string, code: string) =>
      sql(`select ${columns} from deposit_${table} t join deposits d on d.id = t.deposit_id
        where d.transaction_code = '${code}' order by t.${SORTED[table]}`),
  } as DepositScene;
  beforeAll(async () => {
    scene.open = await openTestLedger();
  });
  beforeEach(() => {
    const gateway = scriptedDepositGateway();
    Object.assign(scene, { gateway }, depositDeps(scene.open, gateway));
  });
  afterAll(() => scene.open.close());
  return scene;
}
