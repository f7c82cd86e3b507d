import { describe, expect, test } from "vitest";
import type { RowSettings } from "#intake/row-settings.ts";
import { type Cells, INR, readRows } from "./good-row.ts";

const BRL: Cells = {
  user_id: "U-1",
  currency_code: "BRL",
  transaction_amount: "100.00",
  account_name: "João Silva",
  bank_account_number: "52998224725",
  bank_code: "PHONE",
};

function check(row: Cells, carries: RowSettings["carries"] = "any") {
  const [verdict] = readRows([row], { carries });
  if (!verdict) throw new Error("no row");
  const problems = verdict.kind === "draft" ? verdict.warnings : verdict.problems;
  return problems.map(({ code, column, severity }) => `${severity} ${column} ${code}`);
}

/** Names as they appear in lists of employees and beneficiaries. */
test.each([
  "D'Souza, Anil",
  "Anil D’Souza",
  "A. P. J. Abdul Kalam",
  "K",
  "Sukarno",
  "'Aisyah",
  "RAJU A/L MUTHU",
  "SITI @ AMINAH BINTI ALI",
  "Dela Cruz, Juan Jr.",
  "Dr. Ir. H. Joko Widodo, M.Si.",
  "মোঃ রফিকুল ইসলাম (বাবু)",
  "पं॰ दीनदयाल",
  "ପ୍ରଫୁଲ୍ଲ ଦାସ",
  "น.ส.สมหญิง ใจดี",
  "ဒေါ်အောင်ဆန်းစုကြည်",
  "ﾔﾏﾀﾞ\u3000ﾀﾛｳ",
  "カ)ＡＢＣ商事",
  "㈱山田商店",
  "阿卜杜拉·买买提",
  "H'Hen Niê",
  "Antônio Carlos 2º",
  "IŞIK Çağrı",
])("accepts the name %s without a warning", (account_name) => {
  expect(check({ ...INR, account_name }, "raw")).toEqual([]);
});

describe("a name damaged by a spreadsheet", () => {
  test.each([
    ["05-Jan", "warning account_name maybe_rewritten"],
    ["2026-11-01", "warning account_name maybe_rewritten"],
    ["5.01E+13", "error account_name scientific_notation"],
    ["500.00", "error account_name trailing_point_zero"],
    ["########", "error account_name error_value"],
  ])("reports %s: %s", (account_name, told) => {
    expect(check({ ...INR, account_name })).toEqual([told]);
  });
});

describe("a PIX key in place of a bank name", () => {
  test("may be a phone number with its +, where the layout supports it", () => {
    const row = { ...BRL, bank_name: "+5511998765432" };
    expect(check(row)).toEqual([]);
    expect(check(row, "raw")).toEqual(["error bank_name not_carried"]);
  });

  test.each(["+5511998765432-1", "+", "=0+5511", "-5511", "@5511"])(
    "is not a formula: %s",
    (key) => {
      expect(check({ ...BRL, bank_name: key })).toContain("error bank_name name_starts_a_formula");
    },
  );

  test.each(["11222333000181", "11.222.333/0001-81", "12ABC34501DE35"])(
    "may be the CNPJ %s, which is not an account number",
    (cnpj) => {
      const row = { ...BRL, bank_code: "CNPJ", bank_name: cnpj };
      expect(check(row)).toEqual([]);
      expect(check({ ...row, bank_account_number: cnpj })).toEqual([
        "error bank_account_number id_number_is_cnpj",
      ]);
    },
  );

  test("cannot be a person's name", () => {
    expect(check({ ...BRL, bank_name: "Itaú", account_name: "+5511998765432" })).toContain(
      "error account_name name_starts_a_formula",
    );
  });

  test.each([
    ["CNPJ", "1.1222333E+13", "error bank_name scientific_notation"],
    ["CPF", "52998224725.0", "error bank_name trailing_point_zero"],
    ["CPF", "9876543210", "warning bank_name maybe_lost_zero"],
  ])("reports a key of kind %s that a spreadsheet changed: %s", (bank_code, bank_name, told) => {
    expect(check({ ...BRL, bank_code, bank_name })).toEqual([told]);
  });

  test.each([
    ["CPF", "529.982.247-25"],
    ["CNPJ", "11.222.333/0001-81"],
    ["EMAIL", "joao.silva@exemplo.com.br"],
    ["EVP", "123e4567-e89b-12d3-a456-426614174000"],
    ["PHONE", "11998765432"],
  ])("sends a key of kind %s unchanged: %s", (bank_code, bank_name) => {
    expect(check({ ...BRL, bank_code, bank_name }, "raw")).toEqual([]);
  });
});
