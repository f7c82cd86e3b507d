import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyOf, ENDPOINTS, pathOf } from "#gateway/wire/endpoints.ts";
import { clientTo } from "../gateway/clients.ts";
import { depositFields, PAYOUT_MORE, payoutFields } from "./requests.ts";
import { type Fields, keyring, merchantFor, openSide, post, sealed, stamp } from "./side.ts";

const CURRENCIES = Object.keys(PAYOUT_MORE).filter((code) => keyring.forCurrency(code));
const [ANY = ""] = CURRENCIES;
const ACCEPTED = "request withdraw successful";

let side: Awaited<ReturnType<typeof openSide>>;
beforeAll(async () => {
  side = await openSide();
});
afterAll(() => side.stop());

const payout = async (currency: string, changes: Fields = {}) =>
  (await post(side.url, "payout", currency, payoutFields(currency, changes))).body;

describe("payout request parameters", () => {
  test.each(CURRENCIES)(
    "%s: accepts a complete request and refuses one that lacks a required field (SPEC-R47, SPEC-R48, SPEC-R50, SPEC-R51, SPEC-R53, SPEC-R54, SPEC-R57)",
    async (currency) => {
      expect((await payout(currency))["message"]).toBe(ACCEPTED);
      for (const name of Object.keys(PAYOUT_MORE[currency] ?? {})) {
        expect({
          name,
          message: (await payout(currency, { [name]: undefined }))["message"],
        }).toEqual({
          name,
          message: expect.stringContaining("109"),
        });
      }
    },
  );

  test.each([
    ["merchant_code", "SPEC-R40"],
    ["transaction_code", "SPEC-R41"],
    ["transaction_timestamp", "SPEC-R42"],
    ["payout_code", "SPEC-R43"],
    ["transaction_amount", "SPEC-R44"],
    ["user_id", "SPEC-R45"],
    ["currency_code", "SPEC-R46"],
    ["account_name", "SPEC-R55"],
  ])("requires %s (%s)", async (name) => {
    expect((await payout(ANY, { [name]: undefined }))["message"]).not.toBe(ACCEPTED);
  });

  test("treats callback_url as optional, and accepts unused fields as null or absent (SPEC-R56, SPEC-R58)", async () => {
    const more = { callback_url: "https://shop.example/callback", branch_code: "null" };
    expect((await payout(ANY, more))["message"]).toBe(ACCEPTED);
    expect((await payout(ANY, { branch_code: undefined }))["message"]).toBe(ACCEPTED);
  });

  test.each(CURRENCIES.filter((code) => code === "BDT" || code === "BRL"))(
    "%s: requires 11 digits for a BDT phone and a BRL ID number (SPEC-R49, SPEC-R57, SPEC-L04, SPEC-L05)",
    async (currency) => {
      const name = currency === "BDT" ? "phone_number" : "bank_account_number";
      for (const value of ["8801812345678", "0181234567"]) {
        expect((await payout(currency, { [name]: value }))["message"]).toContain("109");
      }
    },
  );

  test("accepts timestamps from one hour ago to five minutes ahead (SPEC-R42, SPEC-L01, SPEC-L02, SPEC-L07)", async () => {
    for (const offset of [-3590, 290]) {
      expect((await payout(ANY, { transaction_timestamp: stamp(offset) }))["message"]).toBe(
        ACCEPTED,
      );
    }
    for (const offset of [-3610, 310]) {
      expect((await payout(ANY, { transaction_timestamp: stamp(offset) }))["message"]).toContain(
        "112",
      );
    }
  });
});

describe("payout response", () => {
  test("returns success true with the accepted text, and also with error 111 for a repeated code (SPEC-R01, SPEC-R41, SPEC-R59, SPEC-R60, SPEC-L03, SPEC-X02, SPEC-X03)", async () => {
    const fields = payoutFields(ANY);
    const first = await post(side.url, "payout", ANY, fields);
    expect(first.body).toMatchObject({ success: true, message: ACCEPTED });
    const second = await post(side.url, "payout", ANY, fields);
    expect(second.body).toMatchObject({
      success: true,
      message: expect.stringMatching(/not unique.*error code 111/),
    });
  });
});

describe("status", () => {
  const ask = (code: string) =>
    post(side.url, "status", ANY, {
      merchant_api_key: merchantFor(ANY).apiKey.reveal(),
      transaction_code: code,
    });

  test("returns every field of a payout's record (SPEC-R61, SPEC-R62, SPEC-R63, SPEC-R64, SPEC-R65, SPEC-R66, SPEC-R67, SPEC-R68, SPEC-R69, SPEC-R70, SPEC-E12)", async () => {
    const fields = payoutFields(ANY);
    await post(side.url, "payout", ANY, fields);
    const { body } = await ask(fields["transaction_code"] ?? "");
    expect(body).toMatchObject({ success: true, message: expect.stringMatching(/./) });
    expect(body["data"]).toEqual([
      expect.objectContaining({
        amount: 100,
        currency_code: ANY,
        currency_name: expect.stringMatching(/./),
        datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
        method_name: expect.stringMatching(/./),
        note: "null",
        status: expect.stringMatching(/^(pending|completed)$/),
        transaction_code: fields["transaction_code"],
        transaction_fee: expect.any(Number),
        transaction_no: expect.stringMatching(/^WD\d+$/),
        transaction_ref: "null",
        transaction_ref2: "null",
        type: expect.stringMatching(/^(payout|withdraw(al)?)$/),
      }),
    ]);
  });

  test("treats a numeric code as text, and finds nothing for an unknown code (SPEC-E11, SPEC-R72, SPEC-X01)", async () => {
    const code = String(Date.now());
    await payout(ANY, { transaction_code: code });
    const client = clientTo(side.url, { keyring });
    expect((await client.status(ANY, code)).answer.kind).toBe("found");
    expect((await client.status(ANY, `${code}0`)).answer.kind).toBe("not_found");
    client.close();
  });

  test("requires the merchant's own key (SPEC-E11, SPEC-A01)", async () => {
    const { body } = await post(side.url, "status", ANY, {
      merchant_api_key: "another",
      transaction_code: "X",
    });
    expect(body["success"]).not.toBe(true);
  });
});

describe("every endpoint", () => {
  /** An acceptable request for each endpoint, by its path and content type. */
  const REQUESTS = [
    ["payout", () => payoutFields(ANY)],
    [
      "status",
      () => ({ merchant_api_key: merchantFor(ANY).apiKey.reveal(), transaction_code: "X" }),
    ],
    ["deposit", () => depositFields(ANY)],
    [
      "krw_depositor",
      () => ({ transaction_code: "X", bank_code: "kookmin_kr", account_number: "123-456" }),
    ],
  ] as const;

  test.each(REQUESTS)(
    "accepts %s as a POST to its path with only key (SPEC-E01, SPEC-E04, SPEC-E06, SPEC-E07, SPEC-E08, SPEC-E09, SPEC-E10)",
    async (name, fields) => {
      const address = side.url + pathOf(ENDPOINTS[name], merchantFor(ANY).merchantCode);
      const other = await fetch(address);
      expect(other.status).toBeGreaterThanOrEqual(400);
      const { status, body } = await post(side.url, name, ANY, fields());
      expect(status).toBe(200);
      expect(body).toHaveProperty("message");
    },
  );

  test.each(REQUESTS)(
    "refuses %s in clear text, without a key, or encrypted with another key (SPEC-A02, SPEC-A03, SPEC-X01, SPEC-X05)",
    async (name, fields) => {
      const operation = ENDPOINTS[name];
      const address = side.url + pathOf(operation, merchantFor(ANY).merchantCode);
      const other = CURRENCIES.find((code) => code !== ANY) ?? ANY;
      const bodies = [
        JSON.stringify(fields()),
        new URLSearchParams(
          Object.entries(fields()).map(([key, value]): [string, string] => [key, value ?? ""]),
        ).toString(),
        "{}",
        "",
        bodyOf(operation, "bm90IHNlYWxlZA=="),
        bodyOf(operation, sealed(other, fields())),
      ];
      for (const body of bodies) {
        const response = await fetch(address, {
          method: "POST",
          headers: { "content-type": operation.contentType },
          body,
        });
        const text = await response.text();
        expect(text).not.toMatch(new RegExp(`"status":"success"|${ACCEPTED}`));
        expect(text).not.toMatch(/"success":true,"message":"Request transaction/);
      }
    },
  );

  test("requires the path's merchant to be the encrypted one (SPEC-E09, SPEC-A01)", async () => {
    const address = `${side.url}/api/v1/payout/SKU00000000000000`;
    const body = bodyOf(ENDPOINTS.payout, sealed(ANY, payoutFields(ANY)));
    const text = await (await fetch(address, { method: "POST", body })).text();
    expect(text).not.toContain(ACCEPTED);
  });

  test.each(["name=value", "json"] as const)(
    "accepts a payout in the layout %s (SPEC-E02, SPEC-A02, SPEC-A04)",
    async (payoutLayout) => {
      const client = clientTo(side.url, { keyring, payoutLayout });
      const { transaction_code: code = "", account_name, user_id, ...rest } = payoutFields(ANY);
      const details = Object.fromEntries(
        Object.keys(PAYOUT_MORE[ANY] ?? {}).map((name) => [name, rest[name] ?? ""]),
      );
      const submission = await client.submitPayout({
        transactionCode: code,
        money: { currency: ANY, minor: 10000n, minorDigits: 2 },
        details: { ...details, account_name: account_name ?? "", user_id: user_id ?? "" },
        payoutCode: null,
        callbackUrl: null,
      });
      expect(submission).toMatchObject({ outcome: { kind: "accepted" } });
      client.close();
    },
  );
});
