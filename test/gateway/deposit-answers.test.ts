import { describe, expect, test } from "vitest";
import {
  DEPOSIT_ANSWERS,
  readDepositAnswer,
  readDepositorAnswer,
  readReferenceAnswer,
} from "#gateway/deposit-answers.ts";

const CODE = "SHOP-1";
const text = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));
const answer = (status: number, body: unknown) => ({ status, body: text(body), dateOffsetMs: 0 });
const read = (body: unknown, status = 200) => readDepositAnswer(answer(status, body), CODE).outcome;
const readStep2 = (body: unknown) => readDepositorAnswer(answer(200, body), CODE).outcome;

const COMMON = {
  status: "success",
  message: "Submit Transaction Success!",
  transaction_no: "DP1697797081482",
  transaction_code: CODE,
  amount: "1000.00",
  expired_at: "2023-10-20 16:03:01",
  expired_timezone: "GMT+05:30",
};
const UPI = { upi_id: "shop@upi", qr: "https://gateway.example/image?url=abc" };
const WALLET = {
  wallet_number: "01812345678",
  wallet_number_type: "agent",
  wallet_name: "Shop",
  wallet_code: "1001",
};
const TAKEN = {
  kind: "accepted",
  gatewayNumber: "DP1697797081482",
  amount: "1000.00",
  expiry: { at: COMMON.expired_at, timezone: "GMT+05:30", atMs: Date.UTC(2023, 9, 20, 10, 33, 1) },
};
const { wallet_number: walletNumber, wallet_name: walletName } = WALLET;

describe("the four variants", () => {
  // biome-ignore format: the table is easier to read in columns
  test.each<[string, object, object]>([
    ["UPI",               UPI,                                      { kind: "upi", upiId: "shop@upi", qrUrl: UPI.qr }],
    ["UPI, plain http",   { ...UPI, qr: "http://gateway.example/q" }, { kind: "upi", upiId: "shop@upi", qrUrl: "http://gateway.example/q" }],
    ["UPI, odd scheme",   { ...UPI, qr: "xhttp://gateway.example/q" }, { kind: "upi", upiId: "shop@upi", qrUrl: null }],
    ["UPI without image", { upi_id: "shop@upi" },                   { kind: "upi", upiId: "shop@upi", qrUrl: null }],
    ["UPI, odd image",    { ...UPI, qr: "javascript:alert(1)" },    { kind: "upi", upiId: "shop@upi", qrUrl: null }],
    ["UPI, no address",   { ...UPI, qr: "//x" },                    { kind: "upi", upiId: "shop@upi", qrUrl: null }],
    ["wallet",            WALLET,                                   { kind: "wallet", walletNumber, walletName, walletNumberType: "agent", walletCode: "1001" }],
    ["wallet, no type",   { ...WALLET, wallet_number_type: null },  { kind: "wallet", walletNumber, walletName, walletNumberType: null, walletCode: "1001" }],
    ["wallet, match code empty", { ...WALLET, match_code: "", upi_id: "", qr: "" }, { kind: "wallet", walletNumber, walletName, walletNumberType: "agent", walletCode: "1001" }],
    ["match code",        { ...WALLET, match_code: "4711" },        { kind: "match_code", walletNumber, walletName, walletCode: "1001", matchCode: "4711" }],
    ["match code only",   { ...WALLET, wallet_code: null, match_code: 4711 }, { kind: "match_code", walletNumber, walletName, walletCode: "", matchCode: "4711" }],
    ["bank",              { ...WALLET, wallet_number_type: null, wallet_code: "" }, { kind: "bank", accountNumber: walletNumber, accountName: walletName }],
    ["bank, code null",   { ...WALLET, wallet_code: null },         { kind: "bank", accountNumber: walletNumber, accountName: walletName }],
  ])("%s", (_name, fields, destination) => {
    expect(read({ ...COMMON, ...fields })).toEqual({ ...TAKEN, destination });
  });

  test("keeps the digits of a numeric amount, which may differ from the requested one", () => {
    const body = text({ ...COMMON, ...UPI }).replace('"1000.00"', "1000.070");
    expect(read(body)).toMatchObject({ kind: "accepted", amount: "1000.070" });
    const exponent = text({ ...COMMON, ...UPI }).replace('"1000.00"', "1.5E7");
    expect(read(exponent)).toMatchObject({ kind: "accepted", amount: "15000000" });
  });

  test("does not doubt a missing or unreadable expiry", () => {
    const { expired_at: _at, expired_timezone: _zone, ...bare } = COMMON;
    expect(read({ ...bare, ...UPI })).toMatchObject({ kind: "accepted", expiry: null });
    expect(read({ ...bare, expired_at: "soon", ...UPI })).toMatchObject({ expiry: null });
    expect(read({ ...bare, expired_at: "31/12/2026 10:00", ...UPI })).toMatchObject({
      expiry: { at: "31/12/2026 10:00", timezone: "", atMs: null },
    });
  });

  test("does not store an invalid transaction number", () => {
    expect(read({ ...COMMON, ...UPI, transaction_no: "<b>" })).toMatchObject({
      kind: "accepted",
      gatewayNumber: null,
    });
  });
});

describe("KRW", () => {
  const STEP_1 = {
    status: "success",
    step: 1,
    message: "x",
    transaction_code: CODE,
    amount: 50000,
  };
  const STEP_2 = {
    ...COMMON,
    step: 2,
    bank_name: "Kookmin",
    account_name: "Shop",
    account_number: "123-456",
  };

  test.each<[unknown, unknown]>([
    ["kookmin_kr", { code: "kookmin_kr", name: "kookmin_kr" }],
    [
      { bank_code: "004", bank_name: "Kookmin" },
      { code: "004", name: "Kookmin" },
    ],
    [
      { code: 4, name: "Kookmin" },
      { code: "4", name: "Kookmin" },
    ],
    [
      { value: "004", label: "Kookmin" },
      { code: "004", name: "Kookmin" },
    ],
    [{ id: "004" }, { code: "004", name: "004" }],
    [{ bank: "Kookmin" }, { code: "Kookmin", name: "Kookmin" }],
    [
      { code: " ", name: "Kookmin" },
      { code: "Kookmin", name: "Kookmin" },
    ],
    [
      { code: " kookmin_kr ", name: "\tKookmin " },
      { code: "kookmin_kr", name: "Kookmin" },
    ],
    [
      { code: "x".repeat(100), name: "y".repeat(101) },
      { code: "x".repeat(100), name: "y".repeat(100) },
    ],
  ])("lists the bank %j in step 1 (SPEC-R33)", (entry, bank) => {
    expect(read({ ...STEP_1, bank_lists: [entry] })).toEqual({
      kind: "awaiting_bank",
      amount: "50000",
      banks: [bank],
    });
  });

  test("leaves invalid entries out of the list, which may be empty", () => {
    const tooLong = "x".repeat(101);
    const bank_lists = [" ", null, [], {}, { other: "x" }, { code: { a: "1" } }, tooLong];
    expect(read({ ...STEP_1, bank_lists })).toMatchObject({ kind: "awaiting_bank", banks: [] });
  });

  test("returns the account to pay to in step 2", () => {
    const { expired_at: _at, ...without } = STEP_2;
    expect(readStep2(without)).toEqual({
      ...TAKEN,
      expiry: null,
      destination: {
        kind: "krw_account",
        bankName: "Kookmin",
        accountName: "Shop",
        accountNumber: "123-456",
      },
    });
  });

  test.each<[string, () => unknown]>([
    ["answer of step 1 to step 2", () => readStep2({ ...STEP_1, bank_lists: [] })],
    ["answer of step 2 to step 1", () => read(STEP_2)],
    ["step 2 labelled 1", () => readStep2({ ...STEP_2, step: 1 })],
    ["step 1 labelled 2", () => read({ ...STEP_1, step: 2, bank_lists: [] })],
    ["step 1 of another code", () => read({ ...STEP_1, transaction_code: "X", bank_lists: [] })],
    ["step 2 of another code", () => readStep2({ ...STEP_2, transaction_code: "X" })],
    ["step 1 without amount", () => read({ ...STEP_1, amount: null, bank_lists: [] })],
    ["step 2 without account", () => readStep2({ ...STEP_2, account_number: "" })],
  ])("treats %s as doubt", (_case, reading) => {
    expect(reading()).toMatchObject({ kind: "in_doubt", code: "unreadable" });
  });
});

describe("an incomplete success is doubt (F44, F47)", () => {
  test.each<[string, object]>([
    ["another code", { ...UPI, transaction_code: "SHOP-2" }],
    ["no code", { ...UPI, transaction_code: undefined }],
    ["no amount", { ...UPI, amount: undefined }],
    ["a grouped amount", { ...UPI, amount: "1,000.00" }],
    ["a negative amount", { ...UPI, amount: "-1.00" }],
    ["no destination", {}],
    ["fields of two variants", { ...UPI, ...WALLET }],
    ["a destination over two lines", { ...UPI, upi_id: "a\nb" }],
    ["a destination too long for any screen", { ...UPI, upi_id: "x".repeat(201) }],
    ["an empty destination", { upi_id: "" }],
    ["a wallet without a name", { ...WALLET, wallet_name: "" }],
  ])("%s", (_case, fields) => {
    expect(read({ ...COMMON, ...fields })).toEqual({
      kind: "in_doubt",
      code: "unreadable",
      text: "the response reports success, but its deposit details cannot be read",
    });
  });

  test.each([199, 301, 400, 500])("never accepts HTTP %i", (status) => {
    expect(read({ ...COMMON, ...UPI }, status).kind).toBe("in_doubt");
  });

  test.each([
    "",
    "<html>",
    "[]",
    { status: "ok" },
    { success: true },
    { ...COMMON, status: "failed" },
  ])("%j", (body) => {
    expect(read(body).kind).toBe("in_doubt");
  });

  test("treats success with an error code as a contradiction", () => {
    const body = { ...COMMON, ...UPI, error: { code: "115" } };
    expect(read(body)).toMatchObject({ kind: "in_doubt", code: "conflict" });
  });

  test("treats a truncated answer as doubt", () => {
    const body = text({ ...COMMON, ...UPI });
    for (let length = 0; length < body.length; length += 1) {
      expect(read(body.slice(0, length)).kind).toBe("in_doubt");
    }
  });
});

/** The classes and words, written by hand (docs/reference/gateway.md section 6.3). */
const REFUSALS: readonly (readonly [code: string, words: string, kind: string, until?: string])[] =
  [
    ["109", "[DP] Incomplete parameter", "declined"],
    ["110", "[DP] Invalid Bank ID", "declined"],
    ["111", "[DP] Invalid Transaction Code ( not unique )", "duplicate"],
    ["112", "[DP] Invalid Timestamp", "deferred"],
    ["113", "[DP] Invalid Transaction. The transaction is already processed", "duplicate"],
    ["114", "[DP] Active bank account is not found", "deferred", "wait"],
    ["115", "[DP] Invalid Key / Merchant code", "deferred", "person"],
    ["116", "[DP] Bank is under maintenance", "deferred", "wait"],
    ["117", "[DP] Server Error for this payout method !", "in_doubt"],
    ["118", "[DP] Format Key Paramater Invalid", "deferred", "person"],
    ["119", "[DP] Insufficient Balance", "deferred", "wait"],
  ];

test("covers exactly the documented codes", () => {
  expect(Object.keys(DEPOSIT_ANSWERS)).toEqual(REFUSALS.map(([code]) => code));
});

const CASES = REFUSALS.map(([code, words, kind, until]) => ({ code, words, kind, until }));

describe.each(CASES)("code $code, $words (F114, F118)", ({ code, words, kind, until }) => {
  test.each<[number, unknown]>([
    [200, { status: "error", message: words }],
    [200, { message: `${words}!, error code ${code}` }],
    [400, { message: words.toUpperCase() }],
    [422, { message: words.replace("[DP] ", "") }],
    [400, { message: "Refused", error: { code, message: "Refused" } }],
    [500, { message: words }],
  ])("reads HTTP %i %j", (status, body) => {
    const { outcome } = readDepositAnswer(answer(status, body), CODE);
    const isUnproven = status === 500 && kind === "duplicate";
    expect(outcome.kind).toBe(isUnproven ? "in_doubt" : kind);
    expect(outcome.kind === "deferred" ? outcome.stop?.until : undefined).toBe(until);
    const says = DEPOSIT_ANSWERS[code]?.says;
    expect(says).toMatch(/^[a-z].{8,}[a-z]$/);
    expect(outcome.kind === "declined" ? outcome.text : says).toBe(says);
  });

  test("is a contradiction together with a success", () => {
    expect(read({ ...COMMON, ...UPI, message: words })).toMatchObject({ code: "conflict" });
  });
});

test("prefers a stated code over the usual meaning of the words next to it", () => {
  const { outcome } = readDepositAnswer(
    answer(400, { message: "[DP] Invalid Bank ID", error: { code: "999" } }),
    CODE,
  );
  expect(outcome).toMatchObject({ kind: "in_doubt", code: "999" });
});

test.each([
  "Invalid",
  "",
  "[DP] Incomplete parameters",
  "[WD] Incomplete parameter",
  "x [DP] Incomplete parameter",
])("does not read %j as a documented refusal", (message) => {
  expect(read({ status: "error", message })).toMatchObject({ code: "unknown_message" });
});

test("reports an unknown merchant to a person (F41)", () => {
  expect(read({ message: "[DP] Unauthorize" }, 401)).toMatchObject({
    kind: "deferred",
    stop: { until: "person" },
  });
});

test("reads a payer's reference as accepted, refused or in doubt", () => {
  const said = (body: unknown) => readReferenceAnswer(answer(200, body)).outcome;
  expect(said({ status: "success", message: "Success Submit Utr!" })).toEqual({ kind: "taken" });
  expect(said({ status: "Success " })).toEqual({ kind: "taken" });
  expect(said({ message: REFUSALS[4]?.[1] })).toEqual({ kind: "duplicate" });
  expect(said({ status: "pending" }).kind).toBe("in_doubt");
});
