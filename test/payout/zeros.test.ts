import { expect, test } from "vitest";
import { zerosMaybeLost } from "#payout/zeros.ts";

const fieldsOf = (currency: string, details: Parameters<typeof zerosMaybeLost>[1]) =>
  zerosMaybeLost(currency, details).map(({ field, expected }) => `${field}: ${expected}`);

test.each(["OVO", "LINKAJA", "GOPAY", "DANA", "SHOPEEPAY"])(
  "the mobile number of the wallet %s without its zero is told",
  (bank_code) => {
    const [at, ...more] = [
      "812345678",
      "812345678901",
      "0812345678",
      "81234567",
      "8123456789012",
    ].map((bank_account_number) => fieldsOf("IDR", { bank_code, bank_account_number }).length);
    expect([at, ...more]).toEqual([1, 1, 0, 0, 0]);
    expect(fieldsOf("PHP", { bank_code, bank_account_number: "812345678" })).toEqual([]);
  },
);

test("the account of a bank may begin with an 8", () => {
  expect(fieldsOf("IDR", { bank_code: "BCA", bank_account_number: "8123456789" })).toEqual([]);
  expect(fieldsOf("IDR", { bank_account_number: "8123456789" })).toEqual([]);
});

test.each([
  ["CPF", "9876543210", "the 11 digits of the CPF"],
  ["CPF", "98765432", "the 11 digits of the CPF"],
  ["CNPJ", "1222333000181", "the 14 digits of the CNPJ"],
  ["CNPJ", "22333000181", "the 14 digits of the CNPJ"],
])("the PIX key of kind %s that is %s is told: %s", (bank_code, bank_name, expected) => {
  expect(fieldsOf("BRL", { bank_code, bank_name })).toEqual([`bank_name: ${expected}`]);
});

test.each([
  ["CPF", "52998224725"],
  ["CPF", "529.982.247-25"],
  ["CPF", "Nubank"],
  ["CNPJ", "11222333000181"],
  ["CNPJ", "1122233300"],
  ["PHONE", "11998765432"],
  ["EVP", "1222333000181"],
])("the PIX key of kind %s that is %s is not", (bank_code, bank_name) => {
  expect(fieldsOf("BRL", { bank_code, bank_name })).toEqual([]);
});

test("without a bank code, or a number, there is nothing to tell", () => {
  expect(fieldsOf("BRL", { bank_name: "9876543210" })).toEqual([]);
  expect(fieldsOf("BRL", { bank_code: "CPF" })).toEqual([]);
});
