import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dispatchDeposits, followDeposit } from "#flows/deposits/follow.ts";
import { hearOfDeposit } from "#flows/deposits/callback.ts";
import { handInAccount, handInReference } from "#flows/deposits/payer.ts";
import { requestDeposit } from "#flows/deposits/request.ts";
import { verifyAudit } from "#ledger/audit.ts";
import { type Deposit, findDeposit, findDepositByLink } from "#ledger/deposits.ts";
import { linkTokenOf } from "#ledger/sealed-deposits.ts";
import {
  ACCEPTED,
  BANK,
  depositDeps,
  KRW_ACCOUNT,
  KRW_WISH,
  newDeposit,
  record,
  SILENCE,
  type ToldDeposits,
  toldDeposits,
  WISH,
} from "../support/deposits.ts";
import { openTestLedger, type TestLedger } from "../support/ledger.ts";
import { query } from "../support/postgres.ts";

let open: TestLedger;
let gateway: ToldDeposits;
let world: ReturnType<typeof depositDeps>;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => {
  gateway = toldDeposits();
  world = depositDeps(open, gateway);
});
afterAll(() => open.close());

const sql = (text: string) => query(open.url, text);
async function depositOf(code: string): Promise<Deposit> {
  const deposit = await findDeposit(open.database, open.sealer, code);
  if (!deposit) throw new Error(`no deposit ${code}`);
  return deposit;
}
const stateOf = async (code: string) => (await depositOf(code)).state;
/** As if so much time had passed for it. */
async function older(code: string, by: string): Promise<void> {
  await sql(`update deposits set first_sent_at = first_sent_at - interval '${by}',
    last_sent_at = last_sent_at - interval '${by}', lease_until = lease_until - interval '${by}',
    expires_at = expires_at - interval '${by}', due_at = now() where transaction_code = '${code}'`);
}
const follow = async (code: string) => {
  await sql(`update deposits set due_at = now()
    where due_at is not null and lease_until is null and transaction_code = '${code}'`);
  return followDeposit({ transactionCode: code }, world.deps);
};
/** What a table of the story says of one deposit. */
const told = (table: "attempts" | "evidence" | "transitions", columns: string, code: string) =>
  sql(`select ${columns} from deposit_${table} t join deposits d on d.id = t.deposit_id
    where d.transaction_code = '${code}' order by t.${table === "evidence" ? "id" : table === "attempts" ? "number" : "seq"}`);

describe("a deposit that is asked for", () => {
  test("is on record with its attempt before a byte leaves", async () => {
    gateway.request = async ({ transactionCode }) => {
      expect(await depositOf(transactionCode)).toMatchObject({
        state: "requested",
        isUnderWay: true,
      });
      expect(await told("attempts", "t.number, t.kind", transactionCode)).toEqual([
        { number: 1, kind: "request" },
      ]);
      return ACCEPTED;
    };
    const code = await newDeposit(world.deps);
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      payable: { minor: 50_000n },
      paid: null,
      destination: ACCEPTED.destination,
      gatewayNumber: ACCEPTED.gatewayNumber,
      reference: "ORDER-1",
      isUnderWay: false,
    });
  });

  test("is on the audit log, which stays whole", async () => {
    const code = await newDeposit(world.deps);
    expect(await sql("select actor, action, object from audit")).toContainEqual({
      actor: WISH.actor,
      action: "ask_deposit",
      object: code,
    });
    expect(await verifyAudit(open.database)).toMatchObject({ intact: true });
  });

  test.each([
    ["currency", { currency: "IDR" }],
    ["amount", { amount: "0.001" }],
    ["payment_code", { paymentCode: null }],
    ["phone", { currency: "BDT" }],
    ["identity_id", { currency: "TRY" }],
  ])("is refused for its %s, and nothing is on record or sent", async (field, change) => {
    const before = await sql("select count(*) from deposits");
    expect(await requestDeposit({ ...WISH, ...change }, world.deps)).toMatchObject({
      ok: false,
      error: { kind: "refused", faults: [{ field }] },
    });
    expect(await sql("select count(*) from deposits")).toEqual(before);
    expect(gateway.requests).toEqual([]);
  });

  test("is made once by requests of one name, also at once", async () => {
    const wish = { request: "user:US1 K1" };
    const codes = await Promise.all([1, 2, 3].map(() => newDeposit(world.deps, wish)));
    expect(new Set(codes).size).toBe(1);
    expect(gateway.requests).toHaveLength(1);
  });

  test("keeps what it knows of people sealed", async () => {
    await newDeposit(world.deps, { details: { user_id: "U-SECRET", deposit_name: "Asha Rao" } });
    const dump = JSON.stringify([
      await sql("select * from deposits"),
      await sql("select * from deposit_evidence"),
      await sql("select * from audit"),
    ]);
    for (const word of ["U-SECRET", "Asha", "ORDER-1", "pay@bank"]) {
      expect(dump).not.toContain(word);
      expect(dump).not.toContain(Buffer.from(word).toString("hex"));
    }
  });

  test("has a link that finds it, and no other does", async () => {
    const code = await newDeposit(world.deps);
    const token = linkTokenOf(open.sealer, code);
    const find = (text: string) => findDepositByLink(open.database, open.sealer, text);
    expect(await find(token)).toMatchObject({ code });
    expect(await find(`${token.slice(0, -1)}${token.endsWith("A") ? "E" : "A"}`)).toBeNull();
    expect(await find(code)).toBeNull();
  });
});

describe("a kill between request and answer", () => {
  test("leaves the deposit in doubt, and the gateway is asked before anything is sent again", async () => {
    gateway.request = () => new Promise(() => {});
    void newDeposit(world.deps);
    await expect.poll(() => gateway.requests.length).toBe(1);
    const code = gateway.requests[0]?.transactionCode ?? "";

    await follow(code); // its lease holds
    expect(gateway.questions).toEqual([]);
    await older(code, "5 minutes");
    await followDeposit({ transactionCode: code }, world.deps);

    expect(gateway.questions).toEqual([code]);
    expect(gateway.requests).toHaveLength(1);
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      reason: "answer_lost",
      destination: null,
    });
  });

  test("in the middle of a question leaves it due again, and nothing is repeated", async () => {
    const code = await newDeposit(world.deps);
    gateway.about = () => {
      throw new Error("killed");
    };
    await expect(follow(code)).rejects.toThrow("killed");
    expect(await stateOf(code)).toBe("awaiting_payment");
    gateway.about = (asked) => record(asked, "completed");
    await older(code, "5 minutes");
    await follow(code);
    expect(await stateOf(code)).toBe("completed");
    expect(gateway.requests).toHaveLength(1);
  });

  test("of which the answer comes late all the same: it tells the payer where to pay", async () => {
    gateway.request = async ({ transactionCode }) => {
      gateway.about = () => ({ kind: "not_found", text: "" });
      await older(transactionCode, "5 minutes");
      await followDeposit({ transactionCode }, world.deps);
      expect(await stateOf(transactionCode)).toBe("in_doubt");
      return ACCEPTED;
    };
    const code = await newDeposit(world.deps);
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      destination: ACCEPTED.destination,
    });
    expect(gateway.requests).toHaveLength(1);
  });
});

describe("a deposit in doubt", () => {
  beforeEach(() => {
    gateway.request = () => SILENCE;
  });

  test("is sent again under the same code alone, and not before it was twice not found", async () => {
    gateway.about = () => ({ kind: "not_found", text: "" });
    const code = await newDeposit(world.deps);
    await older(code, "1 second");
    await follow(code);
    expect(gateway.requests).toHaveLength(1);
    gateway.request = () => ACCEPTED;
    await follow(code);
    expect(gateway.requests.map(({ transactionCode }) => transactionCode)).toEqual([code, code]);
    expect(gateway.requests[1]).toEqual(gateway.requests[0]);
    expect(await stateOf(code)).toBe("awaiting_payment");
  });

  test("is not sent again when no payer waits any more", async () => {
    gateway.about = () => ({ kind: "not_found", text: "" });
    const code = await newDeposit(world.deps);
    await older(code, "20 minutes");
    await follow(code);
    await follow(code);
    expect(gateway.requests).toHaveLength(1);
    expect(await depositOf(code)).toMatchObject({ state: "expired", reason: "never_shown" });
  });

  test("two workers send it again once", async () => {
    gateway.about = () => ({ kind: "not_found", text: "" });
    const code = await newDeposit(world.deps);
    await older(code, "1 second");
    await follow(code);
    await older(code, "1 second");
    await Promise.all([1, 2, 3].map(() => followDeposit({ transactionCode: code }, world.deps)));
    expect(gateway.requests).toHaveLength(2);
  });

  test("whose code the gateway knew before holds another amount: a person looks", async () => {
    gateway.request = () => ({ kind: "duplicate" });
    gateway.about = (code) => record(code, "pending", { amount: "7.00" });
    const code = await newDeposit(world.deps);
    await follow(code);
    expect(await depositOf(code)).toMatchObject({
      state: "manual",
      reason: "code_not_ours: the gateway has INR 7.00",
    });
  });
});

describe("a deposit that was not taken", () => {
  test("is asked for again under the same code", async () => {
    gateway.request = () => ({ kind: "deferred", code: "116", text: "maintenance", stop: null });
    const code = await newDeposit(world.deps);
    expect(await depositOf(code)).toMatchObject({
      state: "requested",
      reason: "deferred: maintenance",
      isUnderWay: false,
    });
    gateway.request = () => ACCEPTED;
    await follow(code);
    expect(await depositOf(code)).toMatchObject({ state: "awaiting_payment", reason: null });
    expect(new Set(gateway.requests.map(({ transactionCode }) => transactionCode))).toEqual(
      new Set([code]),
    );
  });

  test("is declined when the gateway refuses it", async () => {
    gateway.request = () => ({ kind: "declined", code: "109", text: "incomplete" });
    const code = await newDeposit(world.deps);
    expect(await depositOf(code)).toMatchObject({
      state: "declined",
      reason: "refused: incomplete",
    });
  });

  test("F05 is not sent when what is stored is not what was asked for", async () => {
    gateway.request = () => ({ kind: "deferred", code: "116", text: "later", stop: null });
    const code = await newDeposit(world.deps);
    await sql(
      `update deposits set amount_minor = amount_minor + 1 where transaction_code = '${code}'`,
    );
    await follow(code);
    expect(gateway.requests).toHaveLength(1);
    expect(await depositOf(code)).toMatchObject({ state: "manual", reason: "content_changed" });
  });
});

describe("what was paid", () => {
  test("is what the gateway says, beside what was asked for", async () => {
    gateway.request = () => ({ ...ACCEPTED, amount: "500.37" });
    const code = await newDeposit(world.deps);
    gateway.about = (asked) => record(asked, "completed", { amount: "450.5" });
    await follow(code);
    expect(await depositOf(code)).toMatchObject({
      state: "completed",
      reason: "paid_differently",
      money: { minor: 50_000n },
      payable: { minor: 50_037n },
      paid: { minor: 45_050n },
      dueAt: null,
    });
  });

  test.each([
    ["in another currency", { currency: "BDT" }, "code_not_ours: the gateway has BDT 500.00"],
    ["that is none", { amount: "1e3" }, "unclear_status: the gateway has INR 1e3"],
  ])("%s is for a person", async (_what, change, reason) => {
    const code = await newDeposit(world.deps);
    gateway.about = (asked) => record(asked, "completed", change);
    for (let turn = 0; turn < 3; turn += 1) await follow(code);
    expect(await depositOf(code)).toMatchObject({ state: "manual", reason, paid: null });
  });

  test("and is taken back by the gateway is for a person, and both stay on record", async () => {
    const code = await newDeposit(world.deps);
    gateway.about = (asked) => record(asked, "completed");
    await follow(code);
    gateway.about = (asked) => record(asked, "failed");
    await hearOfDeposit(code, { state: "failed" }, world.deps);
    await followDeposit({ transactionCode: code }, world.deps);
    expect(await depositOf(code)).toMatchObject({
      state: "manual",
      reason: "contradiction: completed, now failed",
      paid: { minor: 50_000n },
    });
  });
});

describe("expiry", () => {
  const inMinutes = (minutes: number) => ({
    at: "as written",
    timezone: "GMT+05:30",
    atMs: Date.now() + minutes * 60_000,
  });

  test("ends the waiting, and a late payment still counts", async () => {
    gateway.request = () => ({ ...ACCEPTED, expiry: inMinutes(15) });
    const code = await newDeposit(world.deps);
    await follow(code);
    expect(await stateOf(code)).toBe("awaiting_payment");
    await older(code, "16 minutes");
    await follow(code);
    expect(await stateOf(code)).toBe("expired");
    await older(code, "24 hours");
    gateway.about = (asked) => record(asked, "completed");
    await follow(code);
    expect(await depositOf(code)).toMatchObject({ state: "completed", reason: "paid_late" });
  });

  test("is followed for 72 hours, and on until the gateway answers", async () => {
    gateway.request = () => ({ ...ACCEPTED, expiry: inMinutes(15) });
    const code = await newDeposit(world.deps);
    await older(code, "16 minutes");
    await follow(code);
    await older(code, "73 hours");
    gateway.about = () => ({ kind: "no_answer", code: "timeout", text: "silence" });
    await follow(code);
    expect((await depositOf(code)).dueAt).not.toBeNull();
    gateway.about = (asked) => record(asked, "pending");
    await follow(code);
    expect(await depositOf(code)).toMatchObject({ state: "expired", dueAt: null });
  });

  test("in a zone that cannot be read is a day after the request", async () => {
    gateway.request = () => ({ ...ACCEPTED, expiry: { at: "soon", timezone: "Moon", atMs: null } });
    const code = await newDeposit(world.deps);
    expect((await depositOf(code)).expiry).toEqual({ text: "soon", zone: "Moon", at: null });
    await older(code, "23 hours");
    await follow(code);
    expect(await stateOf(code)).toBe("awaiting_payment");
    await older(code, "2 hours");
    await follow(code);
    expect(await stateOf(code)).toBe("expired");
  });
});

describe("KRW in two steps", () => {
  const account = { bankCode: "004", accountNumber: "12345678901" };
  const handIn = (code: string) => handInAccount({ code, actor: "payer", account }, world.deps);
  beforeEach(() => {
    gateway.request = () => BANK;
    gateway.about = (code) => record(code, "pending", { currency: "KRW", amount: "50000" });
  });

  test("asks for the account, and then tells where to pay", async () => {
    const code = await newDeposit(world.deps, KRW_WISH);
    expect(await depositOf(code)).toMatchObject({ state: "awaiting_bank", banks: BANK.banks });
    expect(await handIn(code)).toEqual({ ok: true, value: true });
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      step: 2,
      destination: KRW_ACCOUNT.destination,
      payable: { minor: 50_000n },
    });
    expect(await told("transitions", "t.event", code)).toEqual(
      ["ask_bank", "hand_in", "accept"].map((event) => ({ event })),
    );
  });

  test("takes no account before step 1, nor after step 2, nor twice at once", async () => {
    gateway.request = () => ACCEPTED;
    expect(await handIn(await newDeposit(world.deps))).toMatchObject({
      error: { kind: "wrong_state" },
    });
    gateway.request = () => BANK;
    const code = await newDeposit(world.deps, KRW_WISH);
    const given = await Promise.all([handIn(code), handIn(code), handIn(code)]);
    expect(given.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await handIn(code)).toMatchObject({ error: { kind: "wrong_state" } });
    expect(gateway.accounts.map(({ transactionCode }) => transactionCode)).toEqual([code]);
  });

  test("step 2 without an answer is looked up before it can be handed in again", async () => {
    const code = await newDeposit(world.deps, KRW_WISH);
    gateway.account = () => ({ kind: "in_doubt", code: "timeout", text: "no answer" });
    await handIn(code);
    expect(await stateOf(code)).toBe("in_doubt");
    expect(await handIn(code)).toMatchObject({ error: { kind: "wrong_state" } });
    await follow(code);
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_bank",
      reason: "account_not_seen",
    });
    expect(gateway.accounts).toHaveLength(1);

    gateway.account = () => ({ kind: "duplicate" });
    await handIn(code);
    await follow(code);
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      reason: "answer_lost",
      destination: null,
    });
  });

  test("an account that the gateway refuses can be handed in again", async () => {
    const code = await newDeposit(world.deps, KRW_WISH);
    gateway.account = () => ({ kind: "declined", code: "110", text: "no such bank" });
    await handIn(code);
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_bank",
      reason: "account_not_taken: no such bank",
    });
  });

  test("a lost answer to step 1 is no end: the payer says the bank", async () => {
    gateway.request = () => SILENCE;
    const code = await newDeposit(world.deps, KRW_WISH);
    await follow(code);
    expect(await depositOf(code)).toMatchObject({
      state: "awaiting_bank",
      reason: "banks_lost",
      banks: [],
    });
  });
});

describe("F70 a callback about a deposit", () => {
  test("asks, and settles nothing: pending stays pending whatever it said", async () => {
    const code = await newDeposit(world.deps);
    expect(await hearOfDeposit(code, { state: "completed" }, world.deps)).toBe(true);
    expect(await stateOf(code)).toBe("awaiting_payment");
    expect(world.hints.map(({ queue }) => queue)).toEqual(["payrun-deposit"]);
    await followDeposit({ transactionCode: code }, world.deps);
    expect(gateway.questions).toEqual([code]);
    expect(await depositOf(code)).toMatchObject({ state: "awaiting_payment", paid: null });
  });

  test("F71 is kept once, however often it comes", async () => {
    const code = await newDeposit(world.deps);
    const hear = () => hearOfDeposit(code, { state: "completed" }, world.deps);
    await Promise.all([hear(), hear(), hear()]);
    await hear();
    const kinds = (await told("evidence", "t.kind", code)).map(({ kind }) => kind);
    expect(kinds).toEqual(["answer", "callback"]);
  });

  test("F73 of a code that is not ours is nobody's", async () => {
    expect(await hearOfDeposit("PDNOBODY", { state: "completed" }, world.deps)).toBe(false);
  });
});

test("a payer's reference is on record, handed in, and asked about", async () => {
  const code = await newDeposit(world.deps);
  const handIn = (reference: string) =>
    handInReference({ code, actor: "payer", reference }, world.deps);
  expect(await handIn("no reference")).toMatchObject({ error: { kind: "refused" } });
  expect(await handIn("123456789012")).toEqual({ ok: true, value: true });
  expect(gateway.references).toEqual(["123456789012"]);
  expect(await told("attempts", "t.kind, t.number", code)).toEqual([
    { kind: "request", number: 1 },
    { kind: "reference", number: 2 },
  ]);
});

test("the sweep puts on the queue what is due, by its code alone", async () => {
  await sql("update deposits set due_at = null");
  const code = await newDeposit(world.deps);
  await newDeposit(world.deps);
  await sql("update deposits set due_at = now() + interval '1 hour' where due_at is not null");
  await older(code, "1 second");
  await dispatchDeposits(world.deps);
  expect(world.hints).toEqual([
    { queue: "payrun-deposit", id: expect.stringMatching(new RegExp(`^deposit-${code}-\\d+$`)) },
  ]);
});

test("of a frozen ledger nothing is asked for, and what is open is followed", async () => {
  gateway.request = () => ({ kind: "deferred", code: "116", text: "later", stop: null });
  const unsent = await newDeposit(world.deps);
  gateway.request = () => ACCEPTED;
  const code = await newDeposit(world.deps);
  const sent = gateway.requests.length;
  await open.ledger.freeze({ reason: "restored", actor: "test" });

  expect(await requestDeposit(WISH, world.deps)).toMatchObject({ error: { kind: "frozen" } });
  await follow(unsent);
  expect(gateway.requests).toHaveLength(sent);
  gateway.about = (asked) => record(asked, "completed");
  await follow(code);
  expect(await stateOf(code)).toBe("completed");
});
