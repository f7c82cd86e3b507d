import { describe, expect, test } from "vitest";
import {
  findDamage,
  formatDoubt,
  FORMATS,
  formatFault,
  type FormatName,
  isCpf,
} from "#payout/rules/formats.ts";
import { suggestIfsc } from "#payout/rules/ifsc.ts";

const of = (sign: string, length: number) => sign.repeat(length);

/** Valid values of each format, and invalid ones just outside, with their problems. */
// biome-ignore format: the columns are the point
const FORMS: readonly [name: FormatName, fits: readonly string[], fault: string, not: readonly string[]][] = [
  ["user_id",       ["x", " ", of("é", 128), of("𝒜", 128)],            "bad_user_id",        ["", of("x", 129), "a\nb"]],
  ["digits",        ["0123", of("9", 24)],                             "bad_account_number", ["123", of("9", 25), "12a4", "a1234", "1234a", "12-4"]],
  ["account",       ["ab1", "1-z", "0Z9", `${of("a", 39)}1`],         "bad_account_number", ["a1", `${of("a", 40)}1`, "-ab1", "a b1", "a_b1", "ab.1", "!ab1", "ab1!"]],
  ["bd_account",    ["0123", of("9", 24)],                             "bad_account_number", ["123", of("9", 25), "a1234", "1234a"]],
  ["ph_account",    ["ab1", "1-z", "0Z9", `${of("a", 39)}1`],         "bad_account_number", ["a1", `${of("a", 40)}1`, "-ab1", "!ab1", "ab1!"]],
  ["mm_account",    ["ab1", "1-z", "0Z9", `${of("a", 39)}1`],         "bad_account_number", ["a1", `${of("a", 40)}1`, "-ab1", "!ab1", "ab1!"]],
  ["th_account",    ["0123", of("9", 24)],                             "bad_account_number", ["123", of("9", 25), "a1234", "1234a"]],
  ["tr_account",    ["ab1", "1-z", "0Z9", `${of("a", 39)}1`],         "bad_account_number", ["a1", `${of("a", 40)}1`, "-ab1", "!ab1", "ab1!"]],
  ["jp_account",    ["0123", "0123456789"],                            "bad_account_number", ["123", "01234567890", "a1234567", "1234567a"]],
  ["ifsc",          ["HDFC0000001", "ABCD0ZZZZZZ", "AZAZ0A9A9A9"],     "bad_ifsc",           ["HDF00000001", "HDFCE0000001", "HDFC000000", "HDFC00000011", "HDFCO000001", "hdfcO000001", "1HDFC0000001"]],
  ["bank_code",     ["x", "A.b_(c)-9", "a bc d", of("z", 32)],          "bad_bank_code",      ["", of("z", 33), "a  b", " ab", "ab ", "a/b", "/ab", "ab/", "a b/"]],
  ["zengin_bank",   ["0001", "9999"],                                  "bad_bank_code",      ["00001", "000a", "a0001", "0001a"]],
  ["zengin_branch", ["015", "999"],                                    "bad_branch_code",    ["0015", "01a", "a015", "015a"]],
  ["napas_bin",     ["970436", "000000"],                              "bad_bank_code",      ["97043", "9704367", "a970436", "970436a"]],
  ["phone",         ["01812345678", "99999999999"],                    "bad_phone_number",   ["018123456789", "2812345678", "181234567", "a01812345678", "01812345678a"]],
  ["cpf",           ["12345678062", "00000000000"],                    "bad_id_number",      ["123456780621", "1234567", "123.456.780-62", "a12345678062", "12345678062a"]],
];

test("includes every format in the table with its expected value", () => {
  expect(FORMS.map(([name]) => name)).toEqual(Object.keys(FORMATS));
  for (const { expected } of Object.values(FORMATS)) expect(expected).toMatch(/^\S.{6,}\S$/);
});

describe.each(FORMS)("%s", (name, fits, fault, not) => {
  test.each(fits)("accepts %j", (text) => {
    expect(formatFault(name, text)).toBeNull();
  });

  test.each(not)(`reports ${fault} for %j`, (text) => {
    expect(formatFault(name, text)).toBe(fault);
  });
});

test.each([
  ["digits", "५०१०००१२"],
  ["jp_account", "１２３４５６７"],
  ["account", "၀၉၇၉၁"],
  ["ifsc", "HDFC０00001"],
  ["zengin_branch", "０１５"],
  ["phone", "০১৭১২৩৪৫৬৭৮"],
] as const)("reports in %s the digits of %s as another script", (name, text) => {
  expect(formatFault(name, text)).toBe("foreign_digits");
});

test.each([
  ["5.512E+12", "scientific_notation"],
  ["1E10", "scientific_notation"],
  ["52998224725.0", "trailing_point_zero"],
  ["05-Jan", "maybe_rewritten"],
  ["2026-11-01", "maybe_rewritten"],
  ["January Cruz", null],
  ["'Aisyah", null],
  ["Bank 24", null],
  ["", null],
] as const)("recognises %j instead of a name as a spreadsheet's leftover: %s", (text, damage) => {
  expect(findDamage(text)).toBe(damage);
});

test.each(["digits", "account", "bd_account", "ph_account", "jp_account"] as const)(
  "reads %s without a digit as shifted columns",
  (name) => {
    const faults = ["Budi", "TBD", "-", "", "a-b"].map((text) => formatFault(name, text));
    expect(faults).toEqual(faults.map(() => "account_without_digits"));
    expect(formatFault("cpf", "Budi")).toBe("bad_id_number");
  },
);

test.each([
  ["hdfc0000001", "HDFC0000001"],
  ["Hdfc000000a", "HDFC000000A"],
  ["HDFC 0000001", "HDFC0000001"],
  ["hdfc-0-000001", "HDFC0000001"],
])("suggests the intended IFSC for the misspelt %s", (text, meant) => {
  expect([formatFault("ifsc", text), suggestIfsc(text)]).toEqual(["ifsc_misspelt", meant]);
});

test.each([
  "hdfco000001",
  "hdfc000001",
  "hdfc_0000001",
  "hdfc00000\u017f1",
  "",
  "HDFC 000000000001",
])("suggests no IFSC for %j", (text) => {
  expect(suggestIfsc(text)).toBeNull();
});

/** Values damaged by a spreadsheet. They fit the pattern of many codes. */
const REWRITTEN = [
  ["turned_into_date", ["5-Jan", "Jan-05", "05-Jan-26", "2026-01-05", "05-01-2026"]],
  ["trailing_point_zero", ["12.0", "12345.00"]],
] as const;

describe.each(REWRITTEN)("F88 reports %s before the format is checked", (fault, texts) => {
  test.each(["digits", "account", "ph_account", "bank_code", "ifsc"] as const)("in %s", (name) => {
    expect(texts.map((text) => formatFault(name, text))).toEqual(texts.map(() => fault));
  });

  test("only warns in user_id, where it may be correct", () => {
    expect(texts.map((text) => formatFault("user_id", text))).toEqual(texts.map(() => null));
    expect(texts.map((text) => formatDoubt("user_id", text))).toEqual(
      texts.map(() => "maybe_rewritten"),
    );
  });
});

test("F88 warns about a user_id marked as text, but not about one that only resembles a date", () => {
  expect(formatDoubt("user_id", "'007")).toBe("maybe_rewritten");
  for (const text of ["U-1", "5-Ja", "12.5", "2026-13-05", "o'hara"]) {
    expect(formatDoubt("user_id", text)).toBeNull();
  }
});

test.each(["1234-56-78", "5123-45-67", "12-34-5678"])("accepts the account %s", (text) => {
  expect(formatFault("account", text)).toBeNull();
});

test.each([
  ["zengin_bank", ["1", "12", "123"], ["", "a1", "1a"]],
  ["zengin_branch", ["1", "15"], ["", "a1", "1a"]],
  ["phone", ["1812345678"], ["181234567", "a1812345678", "1812345678a"]],
  ["cpf", ["12345678", "1234567806"], ["1234567", "a12345678", "12345678a"]],
] as const)("reports lost zeros in %s of %j, but not of %j", (name, lost, not) => {
  expect(lost.map((text) => formatFault(name, text))).toEqual(lost.map(() => "lost_leading_zeros"));
  expect(not.map((text) => formatFault(name, text))).not.toContain("lost_leading_zeros");
});

test.each([
  [
    "bd_account",
    ["1312345678", "1912345678"],
    ["1212345678", "131234567", "13123456789", "01312345678", "2312345678"],
  ],
  [
    "ph_account",
    ["9171234567"],
    ["917123456", "91712345678", "8171234567", "09171234567", "9171234567a"],
  ],
  [
    "mm_account",
    ["9791234567", "95012345"],
    ["09791234567", "9501234", "97912345678", "8791234567", "9791234567a"],
  ],
  ["th_account", ["123456789", "812345678"], ["0812345678", "1122330793", "12345678"]],
  ["jp_account", ["1234", "123456"], ["1234567"]],
] as const)("warns of a possibly lost zero in %s of %j, but not of %j", (name, odd, not) => {
  expect(odd.map((text) => formatDoubt(name, text))).toEqual(odd.map(() => "maybe_lost_zero"));
  expect(not.map((text) => formatDoubt(name, text))).toEqual(not.map(() => null));
});

test.each(["digits", "account", "bd_account", "ph_account", "mm_account", "th_account"] as const)(
  "reports %s with 15 digits followed by two to nine zeros as truncated",
  (name) => {
    const cut = ["12345678901234500", "123456789012345000000000"];
    const whole = [
      "1234567890123450",
      "01234567890123400",
      "12345678901234501",
      "123456789012340000",
      "1234567890123450000000000",
      "A12345678901234500",
      "12345678901234500A",
    ];
    expect(cut.map((text) => formatDoubt(name, text))).toEqual(["digits_lost", "digits_lost"]);
    // Fifteen digits that end in their own zero are truncated as well.
    expect(whole.map((text) => formatDoubt(name, text))).toEqual([
      null,
      null,
      null,
      "digits_lost",
      null,
      null,
      null,
    ]);
  },
);

test.each([
  ["jp_account", "longer_than_usual", ["12345678", "1234567890"], ["1234567", "0123456"]],
  ["phone", "maybe_country_code", ["88018123456"], ["01812345678", "08801812345", "88118123456"]],
] as const)("%s: %s", (name, doubt, odd, not) => {
  expect(odd.map((text) => [formatFault(name, text), formatDoubt(name, text)])).toEqual(
    odd.map(() => [null, doubt]),
  );
  expect(not.map((text) => formatDoubt(name, text))).not.toContain(doubt);
});

test.each(["ifsc", "bank_code"] as const)("does not report %s as truncated", (name) => {
  expect(formatDoubt(name, "12345678901234500")).toBeNull();
});

// biome-ignore format: the columns are the point
const DAMAGE: readonly [fault: string, damaged: readonly string[], not: readonly string[]][] = [
  ["scientific_notation", ["1E10", "1e+10", "1.2E5", "1,23456e+123", "9E1"], ["12E5", "1E", "E5", "1.E5", "1E-5", "1E1234", "x1E5", "1E5x", "1.2.3E5"]],
  ["turned_into_date",    ["2026-01-05", "5-Jan", "05/01/2026"],             ["2026-1", "x2026-01-05", "55-Jan-x", "2026-13-05", "1826-01-05"]],
  ["trailing_point_zero", ["1.0", "12,00", "0.0"],                           [".0", "1.", "1.01", "1.0x", "x1.0", "1;0"]],
  ["text_marker",         ["'0123", "’0123", "‘aZ9", '="00123"', '=""'],     ["'", "''1", "x'1", "'1 2", '=00123', '="1', 'x="1"', '="1"x', '="1"2"']],
];

describe.each(DAMAGE)("%s", (fault, damaged, not) => {
  test.each(damaged)("is found in %j", (text) => {
    expect(formatFault("napas_bin", text)).toBe(fault);
  });

  test.each(not)("is not found in %j", (text) => {
    expect(formatFault("napas_bin", text)).not.toBe(fault);
  });
});

test.each([
  ["12345678062", true],
  ["52998224725", true],
  ["11144477735", true],
  ["00000000191", true],
  ["12345678061", false],
  ["12345678072", false],
  ["22222222222", false],
  ["1234567806", false],
  ["123456780620", false],
  ["x12345678062", false],
])("checks %s as a CPF: %s", (digits, isRight) => {
  expect(isCpf(digits)).toBe(isRight);
});

test("verifies each of the CPF's check digits", () => {
  const right = Array.from(
    { length: 100 },
    (_, i) => `123456780${String(i).padStart(2, "0")}`,
  ).filter(isCpf);
  expect(right).toEqual(["12345678062"]);
  expect(isCpf("11111111111")).toBe(false);
});

test("warns about a number in the right format with wrong check digits", () => {
  expect(formatDoubt("cpf", "12345678062")).toBeNull();
  expect(formatDoubt("cpf", "12345678061")).toBe("id_check_digits");
});

test.each(["digits", "account", "th_account", "jp_account", "tr_account"] as const)(
  "reads %s of zeros only as a program's empty cell",
  (name) => {
    for (const text of ["0", "0000000", "000-000"])
      expect(formatFault(name, text)).toBe("account_of_zeros");
    expect(formatFault(name, "0000001")).toBeNull();
  },
);

test.each([
  ["TR330006100519786457841326", null],
  ["tr33-0006-1005-1978-6457-8413-26", null],
  ["1234567", null],
  ["05321234567", null],
  ["PT1234567", "iban_unlike"],
  ["ABC1234567", null],
  ["TR330006100519786457841327", "iban_unlike"],
  ["TR33000610051978645784132", "iban_unlike"],
  ["TR3300061005197864578413260", "iban_unlike"],
  ["TRO30006100519786457841326", "iban_unlike"],
  ["330006100519786457841326", "iban_unlike"],
  ["DE89370400440532013000", "iban_unlike"],
] as const)("checks the IBAN of the Turkish account %s: %s", (text, doubt) => {
  expect(formatDoubt("tr_account", text)).toBe(doubt);
});

test.each([
  ["HDFC0000001", null],
  ["KKBK0RTGSMI", null],
  ["HDFC0OOOOO1", "ifsc_maybe_letters"],
  ["HDFC0OOOOOO", "ifsc_maybe_letters"],
  ["ICIC000I234", "ifsc_maybe_letters"],
] as const)("finds letters in the IFSC %s that may be digits: %s", (text, doubt) => {
  expect(formatDoubt("ifsc", text)).toBe(doubt);
});

test.each([
  ["01312345678", null],
  ["01912345678", null],
  ["88018123456", "maybe_country_code"],
  ["01212345678", "phone_unlike"],
  ["12345678901", "phone_unlike"],
  ["00000000000", "phone_unlike"],
] as const)("checks the phone number %s: %s", (text, doubt) => {
  expect(formatDoubt("phone", text)).toBe(doubt);
});
