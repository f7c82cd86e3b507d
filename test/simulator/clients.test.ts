/**
 * Requests as real clients of the gateway write them, and what each dialect of the simulator
 * accepts.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyOf, type EndpointName, ENDPOINTS, pathOf } from "#gateway/wire/endpoints.ts";
import { DEPOSIT_REFUSAL_TEXTS, REFUSAL_TEXTS } from "#simulator/faults/texts.ts";
import { type Fields, keyring, merchantFor, newCode, stamp } from "../contract/side.ts";
import { type SimulatorProcess, startSimulator } from "../support/servers/simulator.ts";

const simulators = new Map<"specification" | "clients", SimulatorProcess>();
beforeAll(async () => {
  simulators.set("specification", await startSimulator());
  simulators.set("clients", await startSimulator({ dialect: "clients" }));
});
afterAll(() => Promise.all([...simulators.values()].map((each) => each.stop())));

type Dialect = "specification" | "clients";

async function post(dialect: Dialect, name: EndpointName, currency: string, plaintext: string) {
  const operation = ENDPOINTS[name];
  const merchant = merchantFor(currency);
  const sealed = keyring.cipherOf(merchant).seal(plaintext);
  const response = await fetch(
    `${simulators.get(dialect)?.url}${pathOf(operation, merchant.merchantCode)}`,
    {
      method: "POST",
      headers: { "content-type": operation.contentType ?? "" },
      body: bodyOf(operation, sealed),
    },
  );
  return (await response.json()) as { readonly message: string; readonly data?: object[] };
}

const pairs = (fields: Fields): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join("&");

/** Fields that every client sends: JSON with numbers, an IP address and additional fields. */
function payoutOf(currency: string, more: object): string {
  const merchant = merchantFor(currency);
  return JSON.stringify({
    merchant_code: merchant.merchantCode,
    transaction_code: newCode(),
    transaction_timestamp: Number(stamp()),
    transaction_amount: 100,
    user_id: "customer-7",
    currency_code: currency,
    payout_code: merchant.payoutCode,
    callback_url: "https://shop.example/back",
    account_name: "Jane Doe",
    ip_address: "203.0.113.7",
    metadata: { order: [1, 2] },
    ...more,
  });
}

const account = { bank_account_number: "11133322" };
const bank = { ...account, bank_code: "B1" };
const ACCEPTED = "request withdraw successful";

// biome-ignore format: the table is easier to read in columns
describe.each<[what: string, currency: string, more: object, bySpecification: string]>([
  ["INR with only the IFSC",              "INR",  { ...account, ifsc_code: "HDFC0000001" },                                              "109"],
  ["INR complete",                        "INR",  { ...bank, bank_name: "HDFC", ifsc_code: "HDFC0000001" },                              ACCEPTED],
  ["BDT without phone and bank name",     "BDT",  bank,                                                                                  "109"],
  ["VND without bank name",               "VND",  bank,                                                                                  "109"],
  ["THB without bank code",               "THB",  { ...account, bank_name: "Bank" },                                                     "109"],
  ["JPY with branch name and type",       "JPY",  { ...bank, bank_name: "Bank", branch_code: "001", branch_name: "Main", account_type: 1 }, ACCEPTED],
  ["JPY the same, without bank name",     "JPY",  { ...bank, branch_code: "001", branch_name: "Main", account_type: "1" },               "109"],
  ["BRL with an e-mail address as its key", "BRL",  { bank_account_number: "jane@example.com", bank_code: "PIX", account_type: "EMAIL" },  "109"],
  ["USDT with the wallet as its account", "USDT", { bank_account_number: "TXYZ" },                                                       "109"],
])("a payout in %s", (_what, currency, more, bySpecification) => {
  test("is accepted by the clients dialect", async () => {
    expect((await post("clients", "payout", currency, payoutOf(currency, more))).message).toBe(ACCEPTED);
  });
  test(`is answered as specified: ${bySpecification}`, async () => {
    const { message } = await post("specification", "payout", currency, payoutOf(currency, more));
    expect(message).toBe(bySpecification === ACCEPTED ? ACCEPTED : REFUSAL_TEXTS[bySpecification]);
  });
});

test("refuses in the clients dialect a payout without the fields that every client sends", async () => {
  const { message } = await post("clients", "payout", "JPY", payoutOf("JPY", bank));
  expect(message).toBe(REFUSAL_TEXTS["109"]);
  const ifsc = payoutOf("INR", { ...account, ifsc_code: "bad" });
  expect((await post("clients", "payout", "INR", ifsc)).message).toBe(REFUSAL_TEXTS["120"]);
});

const depositOf = (currency: string, more: Fields): Fields => ({
  merchant_api_key: merchantFor(currency).apiKey.reveal(),
  merchant_code: merchantFor(currency).merchantCode,
  transaction_code: newCode(),
  transaction_timestamp: stamp(),
  transaction_amount: "500",
  user_id: "customer-7",
  currency_code: currency,
  payment_code: merchantFor(currency).paymentCode ?? "",
  ...more,
});
const EXTRA = {
  ip_address: "203.0.113.7",
  depositor_name: "Kim",
  depositor_account_number: "123",
  redirect_url: "https://shop.example/?a=1&b=2",
};

describe.each<Dialect>(["specification", "clients"])("by the dialect %s", (dialect) => {
  test("a deposit with additional client fields is accepted", async () => {
    const text = pairs(depositOf("INR", { deposit_name: "Kim", ...EXTRA }));
    expect(await post(dialect, "deposit", "INR", text)).toMatchObject({ status: "success" });
  });

  test("a KRW deposit with depositor_name instead of deposit_name", async () => {
    const answer = await post(dialect, "deposit", "KRW", pairs(depositOf("KRW", EXTRA)));
    expect(answer).toMatchObject(
      dialect === "clients"
        ? { status: "success" }
        : { status: "error", message: DEPOSIT_REFUSAL_TEXTS["109"] },
    );
  });

  test.each([1, 2])("accepts the merchant's API key when it is escaped %i times", async (times) => {
    let key = merchantFor("INR").apiKey.reveal();
    for (let time = 0; time < times; time++) key = encodeURIComponent(key);
    const deposit = depositOf("INR", { deposit_name: "Kim", merchant_api_key: key });
    expect(await post(dialect, "deposit", "INR", pairs(deposit))).toMatchObject({
      status: "success",
    });
    const query = pairs({
      merchant_api_key: key,
      transaction_code: deposit["transaction_code"],
      page: "1",
    });
    expect(await post(dialect, "status", "INR", query)).toMatchObject({ success: true });
  });

  test("refuses another API key", async () => {
    const other = depositOf("INR", { deposit_name: "Kim", merchant_api_key: "%E0%A4%A" });
    expect(await post(dialect, "deposit", "INR", pairs(other))).toMatchObject({
      message: DEPOSIT_REFUSAL_TEXTS["115"],
    });
  });

  test("keeps the transaction's own time in a status record with the specification's fields", async () => {
    const code = newCode();
    const payout = payoutOf("INR", { ...bank, bank_name: "B", ifsc_code: "HDFC0000001" });
    const text = JSON.stringify({ ...(JSON.parse(payout) as object), transaction_code: code });
    const beforeMs = Date.now();
    await post(dialect, "payout", "INR", text);
    const afterMs = Date.now();
    const query = pairs({
      merchant_api_key: merchantFor("INR").apiKey.reveal(),
      transaction_code: code,
    });
    const recordOf = async () =>
      ((await post(dialect, "status", "INR", query)).data?.[0] ?? {}) as Record<string, string>;
    const first = await recordOf();
    expect(Date.parse(first["datetime"] ?? "")).toBeGreaterThanOrEqual(beforeMs);
    expect(Date.parse(first["datetime"] ?? "")).toBeLessThanOrEqual(afterMs);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await recordOf())["datetime"]).toBe(first["datetime"]);
    const shown =
      "amount currency_code currency_name datetime method_name note status transaction_code " +
      "transaction_fee transaction_no transaction_ref transaction_ref2 type";
    const names = [...shown.split(" "), ...(dialect === "clients" ? ["transaction_status"] : [])];
    expect(Object.keys(first).sort()).toEqual(names.sort());
  });
});

test("reads percent-escaped values in the clients dialect", async () => {
  const deposit = depositOf("INR", { deposit_name: encodeURIComponent("Kim & Co") });
  expect(await post("clients", "deposit", "INR", pairs(deposit))).toMatchObject({
    status: "success",
  });
});

test("labels expiry times as the specification shows", async () => {
  const text = pairs(depositOf("INR", { deposit_name: "Kim" }));
  expect(await post("specification", "deposit", "INR", text)).toMatchObject({
    expired_timezone: expect.stringMatching(/^GMT \d\d:\d\d$/),
  });
});
