import { beforeEach, describe, expect, test } from "vitest";
import { followDeposit } from "#flows/deposit/follow.ts";
import { requestDeposit } from "#flows/deposit/request.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { findDepositByLink } from "#ledger/deposit/deposits.ts";
import { linkTokenOf } from "#ledger/deposit/sealed-deposits.ts";
import {
  depositScene,
  ACCEPTED,
  newDeposit,
  record,
  SILENCE,
  REQUEST,
} from "../../support/deposits.ts";
import { force } from "../../support/servers/postgres.ts";

const scene = depositScene();

describe("a requested deposit", () => {
  test("is recorded with its attempt before a byte is sent", async () => {
    scene.gateway.request = async ({ transactionCode }) => {
      expect(await scene.depositOf(transactionCode)).toMatchObject({
        state: "requested",
        isUnderWay: true,
      });
      expect(await scene.told("attempts", "t.number, t.kind", transactionCode)).toEqual([
        { number: 1, kind: "request" },
      ]);
      return ACCEPTED;
    };
    const code = await newDeposit(scene.deps);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      payable: { minor: 50_000n },
      paid: null,
      destination: ACCEPTED.destination,
      gatewayNumber: ACCEPTED.gatewayNumber,
      reference: "ORDER-1",
      isUnderWay: false,
    });
  });

  test("is recorded on the audit log, which stays valid", async () => {
    const code = await newDeposit(scene.deps);
    expect(await scene.sql("select actor, action, object from audit")).toContainEqual({
      actor: REQUEST.actor,
      action: "request_deposit",
      object: code,
    });
    expect(await verifyAudit(scene.open.database)).toMatchObject({ intact: true });
  });

  test.each([
    ["currency", { currency: "IDR" }, /not accepted for deposits/],
    [
      "amount",
      { amount: "0.001" },
      /is 0\.001, but INR requires .* above zero with at most 2 decimals/,
    ],
    ["amount", { currency: "VND", amount: "500.5" }, /is 500\.5, .* with at most 0 decimals/],
    ["phone", { currency: "BDT" }, /is missing/],
    ["identity_id", { currency: "TRY" }, /is missing/],
  ])(
    "is refused because of its %s, with nothing recorded or sent",
    async (field, change, problem) => {
      const before = await scene.sql("select count(*) from deposits");
      expect(await requestDeposit({ ...REQUEST, ...change }, scene.deps)).toMatchObject({
        ok: false,
        error: { kind: "refused", faults: [{ field, problem: expect.stringMatching(problem) }] },
      });
      expect(await scene.sql("select count(*) from deposits")).toEqual(before);
      expect(scene.gateway.requests).toEqual([]);
    },
  );

  test("is refused without a payment method from the request or the merchant", async () => {
    const { keyring } = scene.deps;
    const forCurrency = (currency: string) => {
      const merchant = keyring.forCurrency(currency);
      return merchant && { ...merchant, paymentCode: null };
    };
    const deps = { ...scene.deps, keyring: { ...keyring, forCurrency } };
    expect(await requestDeposit({ ...REQUEST, paymentCode: null }, deps)).toMatchObject({
      error: { faults: [{ field: "payment_code" }] },
    });
  });

  test("is created once by requests with the same key, even concurrent ones", async () => {
    const wish = { request: "user:US1 K1" };
    const codes = await Promise.all([1, 2, 3].map(() => newDeposit(scene.deps, wish)));
    expect(new Set(codes).size).toBe(1);
    expect(scene.gateway.requests).toHaveLength(1);
  });

  test("keeps personal data encrypted", async () => {
    await newDeposit(scene.deps, { details: { user_id: "U-SECRET", deposit_name: "Asha Rao" } });
    const dump = JSON.stringify([
      await scene.sql("select * from deposits"),
      await scene.sql("select * from deposit_evidence"),
      await scene.sql("select * from audit"),
    ]);
    for (const word of ["U-SECRET", "Asha", "ORDER-1", "pay@bank"]) {
      expect(dump).not.toContain(word);
      expect(dump).not.toContain(Buffer.from(word).toString("hex"));
    }
  });

  test("is found only by its own link", async () => {
    const code = await newDeposit(scene.deps);
    const token = linkTokenOf(scene.open.sealer, code);
    const find = (text: string) => findDepositByLink(scene.open.database, scene.open.sealer, text);
    expect(await find(token)).toMatchObject({ code });
    expect(await find(`${token.slice(0, -1)}${token.endsWith("A") ? "E" : "A"}`)).toBeNull();
    expect(await find(code)).toBeNull();
  });
});

describe("a crash between request and answer", () => {
  test("leaves the deposit in doubt, and queries the gateway before anything is sent again", async () => {
    scene.gateway.request = () => new Promise(() => {});
    void newDeposit(scene.deps);
    await expect.poll(() => scene.gateway.requests.length).toBe(1);
    const code = scene.gateway.requests[0]?.transactionCode ?? "";

    await scene.follow(code); // its lease is still valid
    expect(scene.gateway.queries).toEqual([]);
    await scene.older(code, "5 minutes");
    await followDeposit({ transactionCode: code }, scene.deps);

    expect(scene.gateway.queries).toEqual([code]);
    expect(scene.gateway.requests).toHaveLength(1);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      reason: "answer_lost",
      destination: null,
    });
  });

  test("during a status query leaves it due again, and repeats nothing", async () => {
    const code = await newDeposit(scene.deps);
    scene.gateway.about = () => {
      throw new Error("killed");
    };
    await expect(scene.follow(code)).rejects.toThrow("killed");
    expect(await scene.stateOf(code)).toBe("awaiting_payment");
    scene.gateway.about = (asked) => record(asked, "completed");
    await scene.older(code, "5 minutes");
    await scene.follow(code);
    expect(await scene.stateOf(code)).toBe("completed");
    expect(scene.gateway.requests).toHaveLength(1);
  });

  test("shows payment instructions when the gateway answers late", async () => {
    scene.gateway.request = async ({ transactionCode }) => {
      scene.gateway.about = () => ({ kind: "not_found", text: "" });
      await scene.older(transactionCode, "5 minutes");
      await followDeposit({ transactionCode }, scene.deps);
      expect(await scene.stateOf(transactionCode)).toBe("in_doubt");
      return ACCEPTED;
    };
    const code = await newDeposit(scene.deps);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "awaiting_payment",
      destination: ACCEPTED.destination,
    });
    expect(scene.gateway.requests).toHaveLength(1);
  });
});

describe("a deposit in doubt", () => {
  beforeEach(() => {
    scene.gateway.request = () => SILENCE;
  });

  test("is sent again under the same code only, after it was not found twice", async () => {
    scene.gateway.about = () => ({ kind: "not_found", text: "" });
    const code = await newDeposit(scene.deps);
    await scene.older(code, "1 second");
    await scene.follow(code);
    expect(scene.gateway.requests).toHaveLength(1);
    scene.gateway.request = () => ACCEPTED;
    await scene.follow(code);
    expect(scene.gateway.requests.map(({ transactionCode }) => transactionCode)).toEqual([
      code,
      code,
    ]);
    expect(scene.gateway.requests[1]).toEqual(scene.gateway.requests[0]);
    expect(await scene.stateOf(code)).toBe("awaiting_payment");
  });

  test("is not sent again when the payer no longer waits", async () => {
    scene.gateway.about = () => ({ kind: "not_found", text: "" });
    const code = await newDeposit(scene.deps);
    await scene.older(code, "20 minutes");
    await scene.follow(code);
    await scene.follow(code);
    expect(scene.gateway.requests).toHaveLength(1);
    expect(await scene.depositOf(code)).toMatchObject({ state: "expired", reason: "never_shown" });
  });

  test("is sent again once by two concurrent workers", async () => {
    scene.gateway.about = () => ({ kind: "not_found", text: "" });
    const code = await newDeposit(scene.deps);
    await scene.older(code, "1 second");
    await scene.follow(code);
    await scene.older(code, "1 second");
    await Promise.all([1, 2, 3].map(() => followDeposit({ transactionCode: code }, scene.deps)));
    expect(scene.gateway.requests).toHaveLength(2);
  });

  test("is left to a person when its code already has another amount at the gateway", async () => {
    scene.gateway.request = () => ({ kind: "duplicate" });
    scene.gateway.about = (code) => record(code, "pending", { amount: "7.00" });
    const code = await newDeposit(scene.deps);
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "manual",
      reason: "code_not_ours: the gateway reports INR 7.00",
    });
  });
});

describe("a deposit that was not accepted", () => {
  test("is requested again under the same code", async () => {
    scene.gateway.request = () => ({
      kind: "deferred",
      code: "116",
      text: "maintenance",
      stop: null,
    });
    const code = await newDeposit(scene.deps);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "requested",
      reason: "deferred: maintenance",
      isUnderWay: false,
    });
    scene.gateway.request = () => ACCEPTED;
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({ state: "awaiting_payment", reason: null });
    expect(new Set(scene.gateway.requests.map(({ transactionCode }) => transactionCode))).toEqual(
      new Set([code]),
    );
  });

  test("F12 is requested again without doubt when its claim was too old to send", async () => {
    const code = await newDeposit({ ...scene.deps, sendWithinMs: -1 });
    expect(await scene.depositOf(code)).toMatchObject({
      state: "requested",
      reason: "deferred: claimed too long ago to be sent",
      isUnderWay: false,
    });
    expect(scene.gateway.requests).toEqual([]);
    await scene.follow(code);
    expect(await scene.stateOf(code)).toBe("awaiting_payment");
  });

  test("is declined when the gateway refuses it", async () => {
    scene.gateway.request = () => ({ kind: "declined", code: "109", text: "incomplete" });
    const code = await newDeposit(scene.deps);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "declined",
      reason: "refused: incomplete",
    });
  });

  test("is not sent when the stored content differs from the request", async () => {
    scene.gateway.request = () => ({ kind: "deferred", code: "116", text: "later", stop: null });
    const code = await newDeposit(scene.deps);
    await force(
      scene.open.url,
      `update deposits set amount_minor = amount_minor + 1 where transaction_code = '${code}'`,
    );
    await scene.follow(code);
    expect(scene.gateway.requests).toHaveLength(1);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "manual",
      reason: "content_changed",
    });
  });
});
