import { describe, expect, test } from "vitest";
import { decode, encode, type Fields } from "#gateway/wire/layout.ts";

const SHAPE = { numbers: ["transaction_amount"], verbatim: ["merchant_api_key"] };
const RAW = { layout: "name=value", escaping: "none" } as const;
const PERCENT = { layout: "name=value", escaping: "percent" } as const;
const JSON_LAYOUT = { layout: "json", escaping: "none" } as const;

describe("name=value without escaping", () => {
  test.each(["a&b", "a=b", "50%", "a+b", "a\nb", "a\rb", "a\u0000b", "a\u2028b", "\ud800", "null"])(
    "refuses %j and names the field, not the value (F90)",
    (value) => {
      const secret = `Jane${value}Doe`;
      for (const text of [value, secret]) {
        if (text === "JanenullDoe") continue;
        const refused = encode([["account_name", text]], SHAPE, RAW);
        expect(refused).toMatchObject({ ok: false, error: { field: "account_name" } });
        expect(JSON.stringify(refused)).not.toContain("Jane");
      }
    },
  );

  test("carries names in any script unchanged", () => {
    const fields: Fields = [["account_name", "山田太郎 O'Neil-Ş."]];
    expect(encode(fields, SHAPE, RAW)).toEqual({
      ok: true,
      value: "account_name=山田太郎 O'Neil-Ş.",
    });
  });

  test("sends an issued key unchanged, including its escapes", () => {
    const fields: Fields = [["merchant_api_key", "AbC%3D%3D="]];
    for (const settings of [RAW, PERCENT]) {
      expect(encode(fields, SHAPE, settings)).toEqual({
        ok: true,
        value: "merchant_api_key=AbC%3D%3D=",
      });
    }
    expect(encode([["merchant_api_key", "a&b"]], SHAPE, RAW).ok).toBe(false);
  });

  test.each(["a=1&a=2", "a", "=1", "a=1&", "&a=1", ""])("does not read %j", (text) => {
    expect(decode(text, SHAPE, RAW)).toEqual({ ok: false, error: "unreadable" });
  });
});

describe("name=value with escapes", () => {
  test("carries every value and reads it back", () => {
    const fields: Fields = [
      ["account_name", "Smith & Sons, 100% = a+b\nZoë"],
      ["user_id", "U-1"],
    ];
    const text = "account_name=Smith%20%26%20Sons%2C%20100%25%20%3D%20a%2Bb%0AZo%C3%AB&user_id=U-1";
    expect(encode(fields, SHAPE, PERCENT)).toEqual({ ok: true, value: text });
    expect(decode(text, SHAPE, PERCENT)).toEqual({ ok: true, value: new Map(fields) });
  });

  test("refuses broken escapes, and reads no escapes without this setting", () => {
    for (const text of ["a=%", "a=%zz", "a=%C3"])
      expect(decode(text, SHAPE, PERCENT)).toEqual({ ok: false, error: "unreadable" });
    expect(decode("a=%41", SHAPE, RAW)).toEqual({ ok: true, value: new Map([["a", "%41"]]) });
    expect(decode("a=%41", SHAPE, PERCENT)).toEqual({ ok: true, value: new Map([["a", "A"]]) });
  });
});

describe("text that cannot be encoded is reported with a message", () => {
  test.each([
    ["user_id", "\ud800", "contains an incomplete character", [RAW, PERCENT, JSON_LAYOUT]],
    [
      "user_id",
      "null",
      'is the word "null", which the gateway treats as an empty value',
      [RAW, PERCENT],
    ],
    ["merchant_api_key", "a&b", "contains & or a control character", [RAW, PERCENT]],
    ["transaction_amount", "1e3", "is not a plain number", [JSON_LAYOUT]],
    ["a=b", "1", "cannot be encoded without being changed", [RAW, PERCENT]],
  ] as const)("%s, %j: %s", (field, value, problem, all) => {
    for (const settings of all)
      expect(encode([[field, value]], SHAPE, settings)).toEqual({
        ok: false,
        error: { field, problem },
      });
  });

  test.each([RAW, PERCENT, JSON_LAYOUT])("for a repeated name in %j", (settings) => {
    const twice: Fields = [
      ["a", "1"],
      ["a", "2"],
    ];
    expect(encode(twice, SHAPE, settings)).toEqual({
      ok: false,
      error: { field: "", problem: "cannot be encoded without being changed" },
    });
  });
});

describe("json", () => {
  test("writes an amount as a number with exactly its digits", () => {
    const fields: Fields = [
      ["transaction_amount", "99999999999999.10"],
      ["user_id", "007"],
    ];
    expect(encode(fields, SHAPE, JSON_LAYOUT)).toEqual({
      ok: true,
      value: '{"transaction_amount":99999999999999.10,"user_id":"007"}',
    });
    expect(encode([["transaction_amount", "-5"]], SHAPE, JSON_LAYOUT)).toEqual({
      ok: true,
      value: '{"transaction_amount":-5}',
    });
  });

  test.each(["1e3", "01", "1.", "", "12,50", "NaN", '1,"x":2'])(
    "refuses the amount %j",
    (value) => {
      expect(encode([["transaction_amount", value]], SHAPE, JSON_LAYOUT)).toMatchObject({
        ok: false,
        error: { field: "transaction_amount" },
      });
    },
  );

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"a":{}}',
    '{"a":[1]}',
    "[1]",
    "1",
    '{"a":tru',
    "null",
  ])("does not read %s", (text) => {
    expect(decode(text, SHAPE, JSON_LAYOUT)).toEqual({ ok: false, error: "unreadable" });
  });

  test("reads null as absent and a number as its own text", () => {
    expect(decode('{"a":null,"b":100.10}', SHAPE, JSON_LAYOUT)).toEqual({
      ok: true,
      value: new Map([["b", "100.10"]]),
    });
  });
});
