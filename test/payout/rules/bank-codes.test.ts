import { expect, test } from "vitest";
import {
  BANKS,
  bankNameWithAnd,
  findBankByName,
  suggestBanks,
  isPayoutBank,
} from "#payout/rules/bank-codes/bank-codes.ts";
import { isCurrency } from "#money/currency.ts";
import { editDistance } from "#payout/rules/edit-distance.ts";
import { formatFault } from "#payout/rules/formats.ts";
import { CARRIED_BY_ALL } from "#payout/rules/layout-limits.ts";
import { RULES } from "#payout/rules/currency-rules.ts";

test.each([
  ["BDT", "2001", true],
  ["BDT", "1001", false], // deposits
  ["IDR", "MANDIRI", true],
  ["IDR", "MDR", false], // deposits
  ["KRW", "kookmin_kr", true],
  ["PHP", "gcash", true],
  ["PHP", "GCASH", false], // case-sensitive
  ["VND", "970436", true],
  ["VND", "vietcombank", false], // deposits
  ["THB", "4", true],
  ["THB", "102", false], // deposits, and payouts in an older list
  ["CNY", "ICBC", true], // not split by direction
  ["MYR", "MBB", true], // both directions
  ["INR", "ANYTHING", true], // not published
  ["JPY", "0001", true],
])("classifies %s %s as a payout code: %s", (currency, code, listed) => {
  expect(isPayoutBank(currency, code)).toBe(listed);
});

test.each([
  ["PHP", "GCASH", "", "gcash (Gcash)"],
  ["PHP", "gcahs", "", "gcash (Gcash)"],
  ["IDR", "MDR", "", "MANDIRI (Mandiri Bank)"],
  ["BDT", "1004", "", "2004 (NAGAD)"],
  ["THB", "102", "", "4 (KasiKorn Bank)"],
  ["THB", "KKR", "", "4 (KasiKorn Bank)"],
  ["KRW", "004", "국민은행", "kookmin_kr (Kookmin Bank)"],
  ["KRW", "kookmin", "Kookmin", "kookmin_kr (Kookmin Bank)"],
  ["VND", "vietcombank", "", "970436 (NGAN HANG TMCP NGOAI THUONG VIET NAM (VIETCOMBANK))"],
])("suggests for %s %s %s most likely %s", (currency, code, name, nearest) => {
  const doubt = suggestBanks(currency, code, name);
  expect(doubt).toMatchObject({ kind: "unknown" });
  expect(doubt.kind === "unknown" && doubt.nearest[0]).toBe(nearest);
});

test("suggests nothing for a code without similar ones", () => {
  expect(suggestBanks("PHP", "9999999999", "")).toEqual({
    kind: "unknown",
    deposit: null,
    nearest: [],
  });
});

const VIETCOMBANK = "NGAN HANG TMCP NGOAI THUONG VIET NAM (VIETCOMBANK)";

const swapCase = (text: string) =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
const mistyped = (code: string) => code.replace(/(.)(.)$/, "$2$1");

/** Codes of other lists, mistyped codes, and names as people write them, with all suggestions. */
const OFFERED = Object.entries(BANKS).flatMap(
  ([currency, { payout, depositOnly = [], formerly = [] }]) => [
    ...[...depositOnly, ...formerly].map(([code]) => [currency, code, ""] as const),
    ...payout.slice(0, 6).map(([code]) => [currency, swapCase(code), ""] as const),
    ...payout.slice(0, 6).map(([code]) => [currency, mistyped(code), ""] as const),
    ...payout.slice(0, 12).map(([, name]) => [currency, "?", name] as const),
    ...payout.slice(0, 12).map(([, name]) => [currency, "?", mistyped(name)] as const),
    ...payout.flatMap(([, , name]) => (name ? [[currency, "?", name] as const] : [])),
  ],
);

test("lists the suggestions for unlisted codes in bank-codes.txt; npm test -- -u updates it", async () => {
  const lines = OFFERED.map(([currency, code, name]) => {
    const doubt = suggestBanks(currency, code, name);
    const offered = doubt.kind === "unknown" ? doubt.nearest.join(", ") : doubt.kind;
    return `${currency} ${code} ${name}: ${offered}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("bank-codes.txt");
});

test("suggests nothing for a currency without a list, such as INR, or for a two-letter name (SPEC-R52)", () => {
  const nothing = { kind: "unknown", deposit: null, nearest: [] };
  expect(suggestBanks("INR", "HDFC", "HDFC Bank")).toEqual(nothing);
  expect(suggestBanks("MYR", "?", "CI")).toEqual(nothing);
  expect(suggestBanks("THB", "?", "BB")).toEqual(nothing);
  expect(suggestBanks("BDT", "?", "ABC Bank")).toEqual(nothing);
});

test.each([
  ["THB", "2", "Bangkok Bank", "1 (Bangkok Bank)"],
  ["THB", "4", "SCB", "7 (Siam Commercial Bank)"],
  ["THB", "1", "Kasikorn", "4 (KasiKorn Bank)"],
  ["MYR", "PBB", "Maybank Berhad", "MBB (Maybank Berhad)"],
  ["MYR", "PBB", "MBB", "MBB (Maybank Berhad)"],
  ["KRW", "shinhan_kr", "국민은행", "kookmin_kr (Kookmin Bank)"],
  ["BDT", "b2b", "BKASH", "2001 (BKASH)"],
  ["MYR", "MBB", "Public Bank", "PBB (Public Bank Berhad)"],
  ["MYR", "CIMB", "PUBLIC BANK BHD", "PBB (Public Bank Berhad)"],
  ["THB", "2", "TMB Bank Public Co., Ltd.", "3 (TMB Bank Public Company Limited)"],
  ["THB", "1", "Kasikornbank", "4 (KasiKorn Bank)"],
  ["VND", "970407", "Vietcombank", `970436 (${VIETCOMBANK})`],
  ["VND", "970407", "Ngân hàng TMCP Ngoại thương Việt Nam", `970436 (${VIETCOMBANK})`],
  ["VND", "970436", "TPBank", "970423 (NGAN HANG TMCP TIEN PHONG (TPBANK))"],
  ["PHP", "gcash", "Landbank", "LBOB (LANDBANK / OFBank)"],
])("compares %s %s with %s: the name belongs to %s", (currency, code, name, meant) => {
  expect(findBankByName(currency, code, name)).toBe(meant);
});

test.each([
  ["THB", "1", "ธนาคารกรุงเทพ"],
  ["THB", "4", "KBank"],
  ["MYR", "CIMB", "CIMB Islamic"],
  ["MYR", "HLB", "Hong Leong Islamic Bank"],
  ["MYR", "BIMB", "Bank Islam"],
  ["MYR", "AMB", "AmBank Islamic"],
  ["PHP", "mbt", "Metrobank"],
  ["PHP", "Unibank", "BDO"],
  ["VND", "970436", "VCB"],
  ["VND", "970436", "MB"],
  ["BDT", "b2b", "Islami Bank"],
  ["KRW", "90", "카카오뱅크"],
  ["KRW", "kfccco_kr", "KFCC/ Korea Federation of Community Credit"],
  ["VND", "970436", "Vietcombank - CN Ha Noi"],
  ["VND", "970403", "Ngân hàng TMCP Sài Gòn"],
  ["PHP", "RSB", "RCBC"],
  ["MYR", "PBB", "Public Islamic Bank"],
  ["INR", "HDFC", "ICICI Bank"],
  ["MYR", "PBB", ""],
  ["MYR", "CIMB", "Bank"],
  ["THB", "1", "2"],
])("compares %s %s with %s: no other bank is known", (currency, code, name) => {
  expect(findBankByName(currency, code, name)).toBeNull();
});

test("matches every listed bank to its own code by each of its names", () => {
  for (const [currency, { payout }] of Object.entries(BANKS)) {
    for (const [code, ...names] of payout) {
      for (const name of [code, ...names])
        expect(findBankByName(currency, code, name ?? "")).toBeNull();
    }
  }
});

test("reports a bank under maintenance", () => {
  expect(suggestBanks("PHP", "CPI", "")).toEqual({
    kind: "maintenance",
    name: "CIMB Philippines, Inc.",
  });
});

test("accepts every listed payout code in its currency's bank_code", () => {
  const wrong = Object.entries(BANKS).flatMap(([currency, { payout, maintenance = [] }]) => {
    const kind = isCurrency(currency) ? RULES[currency].bank_code?.kind : undefined;
    if (!kind || kind === "name" || kind === "wallet") return [currency];
    const codes = [...payout, ...maintenance].map(([code]) => code);
    return codes.filter((code) => formatFault(kind, code) !== null || !CARRIED_BY_ALL.test(code));
  });
  expect(wrong).toEqual([]);
});

test.each([
  ["", "abc", 3],
  ["gcahs", "gcash", 2],
  ["kitten", "sitting", 3],
  ["same", "same", 0],
])("measures between %j and %j %i edits", (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
});

test("offers for every listed name with & a form that all layouts carry and that matches the same bank", () => {
  const listed = Object.entries(BANKS).flatMap(([currency, { payout }]) =>
    payout.flatMap(([code, ...names]) =>
      names.filter((name) => name?.includes("&")).map((name = "") => ({ currency, code, name })),
    ),
  );
  expect(listed).toHaveLength(1);
  for (const { currency, code, name } of listed) {
    const offered = bankNameWithAnd(currency, name) ?? "";
    expect(offered).toBe(name.replaceAll("&", "and"));
    expect(offered).toMatch(CARRIED_BY_ALL);
    expect(findBankByName(currency, code, offered)).toBeNull();
  }
  expect(bankNameWithAnd("IDR", "the hongkong & shanghai b.c.")).toBe(
    "The Hongkong and Shanghai B.C. (Bank HSBC)",
  );
  expect(bankNameWithAnd("IDR", "Asha & Sons")).toBeNull();
  expect(bankNameWithAnd("INR", "Punjab & Sind Bank")).toBeNull();
});
