import { beforeEach, describe, expect, test } from "vitest";
import { receiveDepositCallback } from "#flows/deposit/callback.ts";
import { dispatchDeposits, followDeposit } from "#flows/deposit/follow.ts";
import { sendPayerAccount, sendPayerReference } from "#flows/deposit/payer.ts";
import { requestDeposit } from "#flows/deposit/request.ts";
import {
  depositScene,
  ACCEPTED,
  BANK,
  KRW_ACCOUNT,
  KRW_REQUEST,
  newDeposit,
  record,
  SILENCE,
  REQUEST,
} from "../../support/deposits.ts";

const scene = depositScene();

describe("KRW in two steps", () => {
  const account = { bankCode: "004", accountNumber: "12345678901" };
  const handIn = (code: string) => sendPayerAccount({ code, actor: "payer", account }, scene.deps);
  beforeEach(() => {
    scene.gateway.request = () => BANK;
    scene.gateway.about = (code) => record(code, "pending", { currency: "KRW", amount: "50000" });
  });

  test("requests the account, then shows payment instructions", async () => {
    const code = await newDeposit(scene.deps, KRW_REQUEST);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_bank",
      banks: BANK.banks,
    });
    expect(await handIn(code)).toEqual({ ok: true, value: true });
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      step: 2,
      destination: KRW_ACCOUNT.destination,
      payable: { minor: 50_000n },
    });
    expect(await scene.told("transitions", "t.event", code)).toEqual(
      ["request_account", "send_account", "accept"].map((event) => ({ event })),
    );
  });

  test("refuses an account before step 1, after step 2, and twice concurrently", async () => {
    scene.gateway.request = () => ACCEPTED;
    expect(await handIn(await newDeposit(scene.deps))).toMatchObject({
      error: { kind: "wrong_state" },
    });
    scene.gateway.request = () => BANK;
    const code = await newDeposit(scene.deps, KRW_REQUEST);
    const given = await Promise.all([handIn(code), handIn(code), handIn(code)]);
    expect(given.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await handIn(code)).toMatchObject({ error: { kind: "wrong_state" } });
    expect(scene.gateway.accounts.map(({ transactionCode }) => transactionCode)).toEqual([code]);
  });

  test("queries an unanswered step 2 before it can be submitted again", async () => {
    const code = await newDeposit(scene.deps, KRW_REQUEST);
    scene.gateway.account = () => ({ kind: "in_doubt", code: "timeout", text: "no answer" });
    await handIn(code);
    expect(await scene.stateOf(code)).toBe("in_doubt");
    expect(await handIn(code)).toMatchObject({ error: { kind: "wrong_state" } });
    await scene.older(code, "1 second");
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_bank",
      reason: "account_not_seen",
    });
    expect(scene.gateway.accounts).toHaveLength(1);

    scene.gateway.account = () => ({ kind: "duplicate" });
    await handIn(code);
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      reason: "answer_lost",
      destination: null,
    });
  });

  test("lets the payer submit an account again after the gateway refused it", async () => {
    const code = await newDeposit(scene.deps, KRW_REQUEST);
    scene.gateway.account = () => ({ kind: "declined", code: "110", text: "no such bank" });
    await handIn(code);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_bank",
      reason: "account_not_accepted: no such bank",
    });
  });

  test("continues with the payer's bank after a lost answer to step 1", async () => {
    scene.gateway.request = () => SILENCE;
    const code = await newDeposit(scene.deps, KRW_REQUEST);
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_bank",
      reason: "banks_lost",
      banks: [],
    });
  });
});

describe("F70 a callback about a deposit", () => {
  test("triggers a query and settles nothing: pending stays pending whatever it reports", async () => {
    const code = await newDeposit(scene.deps);
    expect(await receiveDepositCallback(code, { state: "completed" }, scene.deps)).toBe(true);
    expect(await scene.stateOf(code)).toBe("awaiting_payment");
    expect(scene.hints.map(({ queue }) => queue)).toEqual(["payrun-deposit"]);
    await followDeposit({ transactionCode: code }, scene.deps);
    expect(scene.gateway.queries).toEqual([code]);
    expect(await scene.depositOf(code)).toMatchObject({ state: "awaiting_payment", paid: null });
  });

  test("F71 is stored once, however often it arrives", async () => {
    const code = await newDeposit(scene.deps);
    const hear = () => receiveDepositCallback(code, { state: "completed" }, scene.deps);
    await Promise.all([hear(), hear(), hear()]);
    await hear();
    const kinds = (await scene.told("evidence", "t.kind", code)).map(({ kind }) => kind);
    expect(kinds).toEqual(["answer", "callback"]);
  });

  test("F73 with an unknown code belongs to no deposit", async () => {
    expect(await receiveDepositCallback("PDNOBODY", { state: "completed" }, scene.deps)).toBe(
      false,
    );
  });
});

test("records, submits and queries a payer's reference", async () => {
  const code = await newDeposit(scene.deps);
  const handIn = (reference: string) =>
    sendPayerReference({ code, actor: "payer", reference }, scene.deps);
  expect(await handIn("no reference")).toMatchObject({ error: { kind: "refused" } });
  expect(await handIn("123456789012")).toEqual({ ok: true, value: true });
  expect(scene.gateway.references).toEqual(["123456789012"]);
  expect(await scene.told("attempts", "t.kind, t.number", code)).toEqual([
    { kind: "request", number: 1 },
    { kind: "reference", number: 2 },
  ]);
});

test("queues due deposits in the sweep by their code alone", async () => {
  await scene.sql("update deposits set due_at = null");
  const code = await newDeposit(scene.deps);
  await newDeposit(scene.deps);
  await scene.sql(
    "update deposits set due_at = now() + interval '1 hour' where due_at is not null",
  );
  await scene.older(code, "1 second");
  await dispatchDeposits(scene.deps);
  expect(scene.hints).toEqual([
    { queue: "payrun-deposit", id: expect.stringMatching(new RegExp(`^deposit-${code}-\\d+$`)) },
  ]);
});

test("queries no new deposit on a frozen ledger, but follows open ones", async () => {
  scene.gateway.request = () => ({ kind: "deferred", code: "116", text: "later", stop: null });
  const unsent = await newDeposit(scene.deps);
  scene.gateway.request = () => ACCEPTED;
  const code = await newDeposit(scene.deps);
  const sent = scene.gateway.requests.length;
  await scene.open.ledger.integrity.freeze({ reason: "restored", actor: "test" });

  expect(await requestDeposit(REQUEST, scene.deps)).toMatchObject({ error: { kind: "frozen" } });
  await scene.follow(unsent);
  expect(scene.gateway.requests).toHaveLength(sent);
  scene.gateway.about = (asked) => record(asked, "completed");
  await scene.follow(code);
  expect(await scene.stateOf(code)).toBe("completed");
});
