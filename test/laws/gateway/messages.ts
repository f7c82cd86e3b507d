import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { parseObject } from "#gateway/wire/json.ts";
import { decode, encode, type Fields, type LayoutSettings } from "#gateway/wire/layout.ts";
import { ENDPOINTS } from "#gateway/wire/endpoints.ts";
import { encodePayout, encodeStatus } from "#gateway/requests.ts";
import { gatewayAmount } from "#money/format.ts";
import { NOT_RAW } from "#payout/rules/layout-limits.ts";
import { DETAIL_FIELDS, payloadText, type PayoutOrder } from "#payout/payout.ts";
import { law } from "../base/law.ts";
import { merchant } from "../base/merchant.ts";

const SHAPE = { numbers: ["transaction_amount"], verbatim: ["merchant_api_key"] };
const RAW = { layout: "name=value", escaping: "none" } as const;
const PERCENT = { layout: "name=value", escaping: "percent" } as const;
const JSON_LAYOUT = { layout: "json", escaping: "none" } as const;
const layout = fc.constantFrom<LayoutSettings>(RAW, PERCENT, JSON_LAYOUT);

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("null", "", " ", "+", "%41", "a=b", "a&b=c", "\n", "\ud800", '"', "\\"),
);
const amountText = fc
  .tuple(fc.bigInt(0n, 10n ** 20n), fc.option(fc.stringMatching(/^[0-9]{1,6}$/)))
  .map(([whole, part]) => (part === null ? `${whole}` : `${whole}.${part}`));
const NAMES = ["account_name", "bank_name", "user_id", "__proto__", "transaction_amount"];
const anyFields: fc.Arbitrary<Fields> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.tuple(fc.constant(name), name === "transaction_amount" ? amountText : anyText),
      ),
    ),
  );

/** Text that every layout can carry. */
const plainText = fc
  .string({ unit: "grapheme", minLength: 1 })
  .filter((text) => !NOT_RAW.test(text) && text.isWellFormed() && text !== "null");
const order: fc.Arbitrary<PayoutOrder> = fc.record({
  transactionCode: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/).filter((code) => code !== "null"),
  money: fc.bigInt(1n, 10n ** 17n).map((minor) => ({ currency: "INR", minor, minorDigits: 2 })),
  details: fc.record(Object.fromEntries(DETAIL_FIELDS.map((field) => [field, plainText])), {
    requiredKeys: [],
  }),
  payoutCode: fc.option(plainText),
  callbackUrl: fc.option(plainText),
});

export const MESSAGE_LAWS = [
  law(
    "I10 a message that a layout accepts is read back completely (F90, F124)",
    fc.tuple(anyFields, layout),
    ([fields, settings]) => {
      const text = encode(fields, SHAPE, settings);
      fc.pre(text.ok);
      deepEqual(text.ok && decode(text.value, SHAPE, settings), {
        ok: true,
        value: new Map(fields),
      });
    },
  ),
  law(
    "I10 each name occurs once in a message (F90)",
    fc.tuple(anyFields, layout),
    ([fields, settings]) => {
      const text = encode(fields, SHAPE, settings);
      fc.pre(text.ok);
      const names = !text.ok
        ? []
        : settings.layout === "json"
          ? Object.keys(parseObject(text.value) ?? {})
          : text.value.split("&").map((pair) => pair.split("=")[0]);
      deepEqual(
        names,
        fields.map(([name]) => name),
      );
    },
  ),
  law(
    "name=value without escaping refuses &, =, %, + and line breaks anywhere (F90)",
    fc.tuple(
      plainText,
      fc.constantFrom("&", "=", "%", "+", "\r", "\n", "\0", "\u2028", "\u0085"),
      plainText,
    ),
    ([before, sign, after]) => {
      const refused = encode([["account_name", before + sign + after]], SHAPE, RAW);
      equal(refused.ok, false);
    },
  ),
  law("name=value with escaping carries every text except null", anyText, (text) => {
    const written = encode([["account_name", text]], SHAPE, PERCENT);
    equal(written.ok, text.isWellFormed() && text !== "null");
  }),
  law("JSON carries every text", anyText, (text) => {
    equal(encode([["account_name", text]], SHAPE, JSON_LAYOUT).ok, text.isWellFormed());
  }),
  law(
    "no layout carries half of a character",
    fc.tuple(fc.string(), fc.integer({ min: 0xd800, max: 0xdfff }), fc.string(), layout),
    ([before, half, after, settings]) => {
      const text = before + String.fromCharCode(half) + after;
      equal(encode([["account_name", text]], SHAPE, settings).ok, false);
    },
  ),
  law(
    "a refusal names the field and never its value (I14)",
    fc.tuple(plainText, layout),
    ([text, settings]) => {
      const value = `canary-7f3a${text}\ud800`;
      const refused = encode([["account_name", value]], SHAPE, settings);
      equal(!refused.ok && refused.error.field, "account_name");
      ok(!JSON.stringify(refused).includes("canary"));
    },
  ),
  law(
    "every layout refuses a repeated name",
    fc.tuple(plainText, plainText, layout),
    ([a, b, settings]) => {
      equal(
        encode(
          [
            ["user_id", a],
            ["user_id", b],
          ],
          SHAPE,
          settings,
        ).ok,
        false,
      );
    },
  ),
  law(
    "an amount is sent with exactly its digits",
    fc.tuple(amountText, layout),
    ([amount, settings]) => {
      const text = encode([["transaction_amount", amount]], SHAPE, settings);
      const expected =
        settings.layout === "json"
          ? `{"transaction_amount":${amount}}`
          : `transaction_amount=${amount}`;
      deepEqual(text, { ok: true, value: expected });
    },
  ),
  law("only a plain number is sent as a JSON number", anyText, (text) => {
    fc.pre(!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text));
    equal(encode([["transaction_amount", text]], SHAPE, JSON_LAYOUT).ok, false);
  }),
  law(
    "any text is read or refused without an exception",
    fc.tuple(fc.oneof(anyText, fc.json()), layout),
    ([text, settings]) => {
      const read = decode(text, SHAPE, settings);
      ok(read.ok ? read.value instanceof Map : read.error === "unreadable");
    },
  ),
  law(
    "no layout reads a text that repeats a field (F90)",
    fc.tuple(plainText, plainText, fc.constantFrom("none" as const, "percent" as const)),
    ([one, other, escaping]) => {
      const pairs = `user_id=${one}&bank_name=x&user_id=${other}`;
      const object = `{"user_id":${JSON.stringify(one)},"user_id":${JSON.stringify(other)}}`;
      equal(decode(pairs, SHAPE, { layout: "name=value", escaping }).ok, false);
      equal(decode(object, SHAPE, JSON_LAYOUT).ok, false);
    },
  ),
  law(
    "a truncated message is not read as another one with the same fields",
    fc.tuple(order, fc.nat()),
    ([given, at]) => {
      const text = encodePayout(given, merchant, 1_700_000_000, JSON_LAYOUT);
      const whole = text.ok ? text.value : "";
      equal(decode(whole.slice(0, at % whole.length), ENDPOINTS.payout, JSON_LAYOUT).ok, false);
    },
  ),
  law(
    "a payout request contains exactly the order's fields, in the documented order",
    fc.tuple(order, layout),
    ([given, settings]) => {
      const text = encodePayout(given, merchant, 1_700_000_000, settings);
      const read = text.ok ? decode(text.value, ENDPOINTS.payout, settings) : text;
      const documented: readonly string[] = ENDPOINTS.payout.fields;
      const names = read.ok ? [...read.value.keys()] : [];
      deepEqual(
        names,
        documented.filter((name) => names.includes(name)),
      );
      deepEqual(read.ok && Object.fromEntries(read.value), {
        ...given.details,
        merchant_code: merchant.merchantCode,
        transaction_code: given.transactionCode,
        transaction_timestamp: "1700000000",
        payout_code: given.payoutCode ?? merchant.payoutCode,
        transaction_amount: gatewayAmount(given.money),
        currency_code: "INR",
        ...(given.callbackUrl !== null && { callback_url: given.callbackUrl }),
      });
    },
  ),
  law("two different orders are never written alike (I5)", fc.tuple(order, order), ([a, b]) => {
    fc.pre(payloadText(a) !== payloadText(b));
    const [one, other] = [a, b].map((each) => encodePayout(each, merchant, 1, JSON_LAYOUT));
    const isSame = (name: string) => a.details[name as "user_id"] === b.details[name as "user_id"];
    const sameButForm =
      a.transactionCode === b.transactionCode &&
      a.money.minor === b.money.minor &&
      (a.payoutCode ?? merchant.payoutCode) === (b.payoutCode ?? merchant.payoutCode) &&
      a.callbackUrl === b.callbackUrl &&
      DETAIL_FIELDS.every(isSame);
    equal(one?.ok && other?.ok && one.value === other.value, sameButForm);
  }),
  law(
    "the text that binds an order to its content differs with any changed field (I5, I7)",
    fc.tuple(order, fc.constantFrom(...DETAIL_FIELDS), plainText),
    ([given, field, text]) => {
      fc.pre(given.details[field] !== text);
      ok(
        payloadText({ ...given, details: { ...given.details, [field]: text } }) !==
          payloadText(given),
      );
      ok(payloadText({ ...given, callbackUrl: `${given.callbackUrl}x` }) !== payloadText(given));
      const money = { ...given.money, minor: given.money.minor + 1n };
      ok(payloadText({ ...given, money }) !== payloadText(given));
    },
  ),
  law(
    "a status query contains only the key as issued and the code",
    fc.tuple(order, fc.constantFrom("none" as const, "percent" as const)),
    ([{ transactionCode }, escaping]) => {
      deepEqual(encodeStatus(transactionCode, merchant, escaping), {
        ok: true,
        value: `merchant_api_key=${merchant.apiKey.reveal()}&transaction_code=${transactionCode}`,
      });
    },
  ),
];
