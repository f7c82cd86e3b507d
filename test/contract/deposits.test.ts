import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientTo } from "../gateway/clients.ts";
import { DEPOSIT_MORE, depositFields } from "./requests.ts";
import { type Fields, keyring, openSide, post, stamp } from "./side.ts";

/** Tested against the simulator, and against a staging gateway if it has the merchants. */
const CURRENCIES = Object.keys(DEPOSIT_MORE).filter((code) => keyring.forCurrency(code));
const ONE_STEP = CURRENCIES.filter((code) => code !== "KRW");

let side: Awaited<ReturnType<typeof openSide>>;
beforeAll(async () => {
  side = await openSide();
});
afterAll(() => side.stop());

const deposit = (currency: string, changes: Fields = {}) =>
  post(side.url, "deposit", currency, depositFields(currency, changes));
const isRefused = async (currency: string, changes: Fields) => {
  const { body } = await deposit(currency, changes);
  return body["status"] !== "success" && typeof body["message"] === "string";
};

describe("deposit request parameters", () => {
  test.each(CURRENCIES)(
    "accepts %s with its fields, also for KRW step 1 (SPEC-R03, SPEC-R04, SPEC-R18, SPEC-L06)",
    async (currency) => {
      expect((await deposit(currency)).body["status"]).toBe("success");
    },
  );

  test.each([
    ["merchant_code", "SPEC-R04"],
    ["merchant_api_key", "SPEC-R05"],
    ["transaction_code", "SPEC-R06"],
    ["transaction_timestamp", "SPEC-R07"],
    ["transaction_amount", "SPEC-R08"],
    ["payment_code", "SPEC-R09"],
    ["user_id", "SPEC-R10"],
    ["currency_code", "SPEC-R11"],
  ])("requires %s (%s)", async (name) => {
    for (const currency of CURRENCIES.slice(0, 2)) {
      for (const value of [undefined, "null", ""]) {
        expect(await isRefused(currency, { [name]: value })).toBe(true);
      }
    }
  });

  test.each(CURRENCIES)(
    "%s requires only its own field: deposit_name for KRW, identity_id for TRY, phone for BDT (SPEC-R12, SPEC-R14, SPEC-R15, SPEC-R17)",
    async (currency) => {
      const own = Object.keys(DEPOSIT_MORE[currency] ?? {});
      for (const name of ["deposit_name", "identity_id", "phone"]) {
        expect({ name, is: await isRefused(currency, { [name]: undefined }) }).toEqual({
          name,
          is: own.includes(name),
        });
      }
    },
  );

  test.each(CURRENCIES.filter((code) => code === "BDT"))(
    "requires an 11-digit phone of %s without a country code (SPEC-R15, SPEC-L04)",
    async (currency) => {
      for (const phone of ["8801812345678", "0181234567", "0181234567a"]) {
        expect(await isRefused(currency, { phone })).toBe(true);
      }
    },
  );

  test.each(CURRENCIES)(
    "accepts callback_url and bank_code for %s and requires neither (SPEC-R13, SPEC-R16)",
    async (currency) => {
      const more = { callback_url: "https://shop.example/callback", bank_code: "B1" };
      expect((await deposit(currency, more)).body["status"]).toBe("success");
    },
  );

  test("accepts timestamps from one hour ago to five minutes ahead and no others (SPEC-R07, SPEC-L01, SPEC-L02, SPEC-L07)", async () => {
    const [currency = ""] = CURRENCIES;
    for (const [offset, refused] of [
      [-3590, false],
      [290, false],
      [-3610, true],
      [310, true],
    ] as const) {
      expect(await isRefused(currency, { transaction_timestamp: stamp(offset) })).toBe(refused);
    }
  });

  test.each(CURRENCIES)(
    "accepts a code of %s once (SPEC-R01, SPEC-R06, SPEC-L03)",
    async (currency) => {
      const fields = depositFields(currency);
      expect((await post(side.url, "deposit", currency, fields)).body["status"]).toBe("success");
      expect((await post(side.url, "deposit", currency, fields)).body["status"]).not.toBe(
        "success",
      );
    },
  );
});

describe("deposit response", () => {
  test.each(ONE_STEP)(
    "returns for %s: status, message, number, echo, two decimals, a time and its zone (SPEC-R02, SPEC-R19, SPEC-R20, SPEC-R21, SPEC-R22, SPEC-R23, SPEC-R24, SPEC-R25, SPEC-X04)",
    async (currency) => {
      const fields = depositFields(currency);
      const { body } = await post(side.url, "deposit", currency, fields);
      expect(body).toMatchObject({
        status: "success",
        message: expect.stringMatching(/./),
        transaction_no: expect.stringMatching(/^DP\d+$/),
        transaction_code: fields["transaction_code"],
        amount: Number(fields["transaction_amount"]).toFixed(2),
        expired_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        expired_timezone: expect.stringMatching(/^GMT[+ -]?\d\d:\d\d$/),
      });
    },
  );

  test.each(CURRENCIES)(
    "reads %s with the typed client, and queries its status (SPEC-S03, SPEC-R67, SPEC-R71, SPEC-E03)",
    async (currency) => {
      const client = clientTo(side.url, { keyring });
      const fields = depositFields(currency);
      const code = fields["transaction_code"] ?? "";
      const minorDigits = fields["transaction_amount"]?.includes(".") ? 2 : 0;
      const attempt = await client.requestDeposit({
        transactionCode: code,
        money: {
          currency,
          minor: BigInt((fields["transaction_amount"] ?? "").replace(".", "")),
          minorDigits,
        },
        details: { user_id: "customer-7", deposit_name: "Kim", ...DEPOSIT_MORE[currency] },
        paymentCode: null,
        callbackUrl: null,
      });
      const kind = currency === "KRW" ? "awaiting_bank" : "accepted";
      expect(attempt).toMatchObject({ kind: "attempted", outcome: { kind } });
      expect((await client.depositStatus(currency, code)).answer).toMatchObject({
        kind: "found",
        record: { state: "pending", currency },
      });
      client.close();
    },
  );
});

test.each(CURRENCIES)(
  "returns a status record of a deposit in %s: pending, type deposit, amount as a number (SPEC-S03, SPEC-R62, SPEC-R67, SPEC-R68, SPEC-R71, SPEC-E12)",
  async (currency) => {
    const fields = depositFields(currency);
    await post(side.url, "deposit", currency, fields);
    const { body } = await post(side.url, "status", currency, {
      merchant_api_key: fields["merchant_api_key"],
      transaction_code: fields["transaction_code"],
    });
    expect(body["data"]).toEqual([
      expect.objectContaining({
        type: "deposit",
        status: "pending",
        amount: Number(fields["transaction_amount"]),
        currency_code: currency,
        transaction_code: fields["transaction_code"],
      }),
    ]);
  },
);

describe.each(CURRENCIES.filter((code) => code === "KRW"))("%s in two steps", (currency) => {
  const step1 = async () => {
    const fields = depositFields(currency);
    const { body } = await post(side.url, "deposit", currency, fields);
    return { code: fields["transaction_code"] ?? "", amount: fields["transaction_amount"], body };
  };
  const step2 = (code: string, changes: Fields = {}) =>
    post(side.url, "krw_depositor", currency, {
      transaction_code: code,
      bank_code: "kookmin_kr",
      account_number: "123-456-789",
      ...changes,
    });

  test("step 1: selects the flow by currency and returns status, step, message, echo, a number and a list of banks (SPEC-S01, SPEC-E05, SPEC-E13, SPEC-R31, SPEC-R32, SPEC-R33)", async () => {
    const { code, amount, body } = await step1();
    expect(body).toMatchObject({
      status: "success",
      step: 1,
      message: expect.stringMatching(/bank code.*account number/i),
      transaction_code: code,
      amount: Number(amount),
    });
    expect(body["bank_lists"]).toBeInstanceOf(Array);
    const client = clientTo(side.url, { keyring });
    const { answer } = await client.depositStatus(currency, code);
    expect(answer).toMatchObject({ kind: "found", record: { state: "pending" } });
    client.close();
  });

  test("step 2: returns status, step, message, number, echo, two decimals and the account to pay to (SPEC-S02, SPEC-E06, SPEC-R34, SPEC-R37, SPEC-R38, SPEC-R39)", async () => {
    const { code, amount } = await step1();
    expect((await step2(code)).body).toMatchObject({
      status: "success",
      step: 2,
      message: expect.stringMatching(/./),
      transaction_no: expect.stringMatching(/^DP\d+$/),
      transaction_code: code,
      amount: Number(amount).toFixed(2),
      bank_name: expect.stringMatching(/./),
      account_name: expect.stringMatching(/./),
      account_number: expect.stringMatching(/./),
    });
  });

  test.each([
    ["transaction_code", "SPEC-R34"],
    ["bank_code", "SPEC-R35"],
    ["account_number", "SPEC-R36"],
  ])("step 2 requires %s (%s)", async (name) => {
    const { code } = await step1();
    expect((await step2(code, { [name]: undefined })).body["status"]).not.toBe("success");
    expect((await step2(code)).body["status"]).toBe("success");
  });

  test("refuses step 2 before step 1, and a second time (SPEC-S02)", async () => {
    expect((await step2("NEVER-ASKED")).body["status"]).not.toBe("success");
    const { code } = await step1();
    expect((await step2(code)).body["status"]).toBe("success");
    expect((await step2(code)).body["status"]).not.toBe("success");
  });
});
