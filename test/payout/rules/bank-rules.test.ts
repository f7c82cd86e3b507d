import { expect, test } from "vitest";
import { findBankRuleDoubt } from "#payout/rules/bank-rules.ts";

const told = (currency: string, details: Parameters<typeof findBankRuleDoubt>[1]) => {
  const odd = findBankRuleDoubt(currency, details);
  return odd ? `${odd.field} ${odd.doubt}: ${odd.expected}` : null;
};
const ofAccount = (currency: string, bank_code: string, bank_account_number: string) =>
  told(currency, { bank_code, bank_account_number })?.replace("bank_account_number ", "") ?? null;
const ofKey = (bank_code: string, bank_name: string) =>
  told("BRL", { bank_code, bank_name })?.replace("bank_name ", "") ?? null;

const IN_BD = "a mobile number such as 01812345678";
const IN_ID = "a mobile number with its leading zero, such as 081234567890";
const IN_MM = "a mobile number such as 09791234567";
const IN_PH = "a mobile number such as 09171234567";

// biome-ignore format: the columns are the point
test.each([
  ["BDT", "2001 2002 2003 2004 2005",          "8801312345678 8801912345678 88017123456789", "8801212345678 880131234567 01812345678 8801812345678901 98801712345678", `maybe_country_code: ${IN_BD}`],
  ["BDT", "2002",                              "13123456789 19123456789",                    "017123456789 12123456789 1712345678 171234567890",         `maybe_lost_zero: ${IN_BD}`],
  ["IDR", "OVO LINKAJA GOPAY DANA SHOPEEPAY",  "812345678 812345678901",                     "0812345678 81234567 8123456789012",                        `maybe_lost_zero: ${IN_ID}`],
  ["IDR", "OVO LINKAJA GOPAY DANA SHOPEEPAY",  "62812345678 62812345678901",                 "6281234567 628123456789012 6181234567890 062812345678",    `maybe_country_code: ${IN_ID}`],
  ["MMK", "WAVEPAY KBZPAY",                    "95912345678 959791234567",                   "9591234567 9597912345678 09591234567 0959791234567",       `maybe_country_code: ${IN_MM}`],
  ["PHP", "gcash PMP GP SP",                   "639171234567",                               "63917123456 6391712345678 09171234567 638171234567 0639171234567", `maybe_country_code: ${IN_PH}`],
])("%s: the accounts of the wallets %s that are %s are reported, those that are %s are not", (currency, codes, odd, not, doubt) => {
  for (const code of codes.split(" ")) {
    for (const account of odd.split(" ")) expect(ofAccount(currency, code, account)).toBe(doubt);
    for (const account of not.split(" ")) expect(ofAccount(currency, code, account)).not.toBe(doubt);
  }
});

// biome-ignore format: the columns are the point
test.each([
  ["BDT", "2001 2003 2004 2005",              "01712345678 1712345678",               "5777741215473 017123456789 01212345678 0171234567", IN_BD],
  ["BDT", "2002",                             "01712345678 017123456789",             "5777741215473 0171234567890",                       IN_BD],
  ["IDR", "OVO LINKAJA GOPAY DANA SHOPEEPAY", "081234567890 3901081234567890",        "5803852809 0212345678 08123-456789",                IN_ID],
  ["MMK", "WAVEPAY KBZPAY",                   "09791234567 0979123456 979123456",     "12345678901234567 09-791234567",                    IN_MM],
  ["PHP", "gcash PMP GP SP",                  "09171234567 9171234567",               "229729975289 0917-123-4567 AB-1234",                IN_PH],
])("%s: the accounts of the wallets %s are mobile numbers such as %s, and not %s", (currency, codes, right, odd, expected) => {
  for (const code of codes.split(" ")) {
    for (const account of right.split(" ")) expect(ofAccount(currency, code, account)).toBeNull();
    for (const account of odd.split(" ")) expect(ofAccount(currency, code, account)).toBe(`wallet_unlike: ${expected}`);
  }
  // A number changed by a spreadsheet is reported as such.
  expect(ofAccount(currency, codes.split(" ")[0] ?? "", "9.17E+09")).toBeNull();
});

test.each([
  ["IDR", "BCA", 10],
  ["IDR", "BNI", 10],
  ["IDR", "BRI", 15],
  ["MYR", "PBB", 10],
  ["MYR", "HLB", 11],
  ["MYR", "MBB", 12],
  ["MYR", "AMB", 13],
  ["MYR", "BIMB", 14],
  ["MYR", "CIMB", 14],
  ["MYR", "RHB", 14],
])(
  "%s: an account of %s has %i digits, and one without its zero is reported",
  (currency, code, digits) => {
    const doubt = `maybe_lost_zero: the ${digits} digits of this bank's account numbers`;
    const account = "98765432109876";
    expect(ofAccount(currency, code, account.slice(0, digits - 1))).toBe(doubt);
    const whole = ["9".repeat(digits), "9".repeat(digits - 2), `0${"9".repeat(digits - 2)}`];
    const others = [`x${"9".repeat(digits - 1)}`, `${"9".repeat(digits - 1)}x`];
    for (const text of [...whole, ...others]) expect(ofAccount(currency, code, text)).toBeNull();
  },
);

test("reports nothing for another bank, another currency, or without bank or account", () => {
  expect(ofAccount("IDR", "MANDIRI", "812345678")).toBeNull();
  expect(ofAccount("PHP", "OVO", "812345678")).toBeNull();
  expect(ofAccount("BDT", "b2b", "8801312345678")).toBeNull();
  expect(ofAccount("INR", "BCA", "123456789")).toBeNull();
  expect(told("IDR", { bank_account_number: "812345678" })).toBeNull();
  expect(told("IDR", { bank_code: "OVO" })).toBeNull();
  expect(told("BRL", { bank_code: "EMAIL" })).toBeNull();
  expect(told("BRL", { bank_name: "9876543210" })).toBeNull();
});

const CPF = "the 11-digit CPF";
const CNPJ = "the 14-digit CNPJ";
const PHONE = "a phone number with its area code";
const RANDOM = "a random key, such as 123e4567-e89b-12d3-a456-426614174000";

test.each([
  ["CPF", "9876543210", `maybe_lost_zero: ${CPF}`],
  ["CPF", "98765432", `maybe_lost_zero: ${CPF}`],
  ["CPF", "52998224726", `id_check_digits: ${CPF}`],
  ["CPF", "529.982.247-26", `id_check_digits: ${CPF}`],
  ["CPF", "Nubank", `pix_key_unlike: ${CPF}`],
  ["CPF", "9876543", `pix_key_unlike: ${CPF}`],
  ["CPF", "x52998224725", `pix_key_unlike: ${CPF}`],
  ["CPF", "52998224725x", `pix_key_unlike: ${CPF}`],
  ["CPF", "529.982.247-25x", `pix_key_unlike: ${CPF}`],
  ["CNPJ", "1222333000181", `maybe_lost_zero: ${CNPJ}`],
  ["CNPJ", "22333000181", `maybe_lost_zero: ${CNPJ}`],
  ["CNPJ", "1122233300", `pix_key_unlike: ${CNPJ}`],
  ["CNPJ", "11222333000181x", `pix_key_unlike: ${CNPJ}`],
  ["CNPJ", "x11222333000181", `pix_key_unlike: ${CNPJ}`],
  ["CNPJ", "Banco do Brasil", `pix_key_unlike: ${CNPJ}`],
  ["EMAIL", "joao.silva", "pix_key_unlike: an e-mail address"],
  ["EMAIL", "joao@silva", "pix_key_unlike: an e-mail address"],
  ["EMAIL", "joao silva@exemplo.com", "pix_key_unlike: an e-mail address"],
  ["EMAIL", "joao@exemplo.com br", "pix_key_unlike: an e-mail address"],
  ["PHONE", "998765432", `pix_key_unlike: ${PHONE}`],
  ["PHONE", "Itaú", `pix_key_unlike: ${PHONE}`],
  ["PHONE", "x11998765432", `pix_key_unlike: ${PHONE}`],
  ["PHONE", "11998765432x", `pix_key_unlike: ${PHONE}`],
  ["EVP", "Itaú", `pix_key_unlike: ${RANDOM}`],
  ["RANDOMKEY", "1222333000181", `pix_key_unlike: ${RANDOM}`],
  ["EVP", "123e4567-e89b-12d3-a456-42661417400", `pix_key_unlike: ${RANDOM}`],
  ["EVP", "x123e4567-e89b-12d3-a456-426614174000", `pix_key_unlike: ${RANDOM}`],
  ["EVP", "123e4567-e89b-12d3-a456-426614174000x", `pix_key_unlike: ${RANDOM}`],
])("reports the PIX key of kind %s that is %s: %s", (code, text, doubt) => {
  expect(ofKey(code, text)).toBe(doubt);
});

test.each([
  ["CPF", "52998224725"],
  ["CPF", "529.982.247-25"],
  ["CNPJ", "11222333000181"],
  ["CNPJ", "11.222.333/0001-81"],
  ["CNPJ", "12ABC34501DE35"],
  ["CNPJ", "12.ABC.345/01DE-35"],
  ["EMAIL", "joao.silva@exemplo.com.br"],
  ["PHONE", "11998765432"],
  ["PHONE", "+5511998765432"],
  ["PHONE", "(11) 99876-5432"],
  ["EVP", "123e4567-e89b-12d3-a456-426614174000"],
  ["RANDOMKEY", "123E4567E89B12D3A456426614174000"],
  ["341", "Itaú"],
  ["CNPJ", "1.1222333E+13"],
  ["CPF", "52998224725.0"],
])("does not report here the PIX key of kind %s that is %s", (code, text) => {
  expect(ofKey(code, text)).toBeNull();
});
