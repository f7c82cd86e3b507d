import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { Cipher } from "#gateway/cipher.ts";
import { bodyOf, OPERATIONS } from "#gateway/operations.ts";
import { Secret } from "#secret.ts";
import { law } from "./law.ts";

const keyText = fc.string({ minLength: 1 });
const cipherOf = (key: string, secret: string) => new Cipher(new Secret(key), new Secret(secret));
const cipher = cipherOf("a key", "a secret");

export const CIPHER_LAWS = [
  law(
    "a body gives its sealed text back, as JSON and as a form, in both encodings (F125)",
    fc.tuple(fc.string(), fc.constantFrom("base64" as const, "percent" as const)),
    ([text, transport]) => {
      const sealed = cipher.seal(text);
      const key = transport === "percent" ? encodeURIComponent(sealed) : sealed;
      equal(JSON.parse(bodyOf(OPERATIONS.payout, sealed, transport)).key, key);
      equal(new URLSearchParams(bodyOf(OPERATIONS.status, sealed, transport)).get("key"), key);
    },
  ),
  law(
    "opening gives back what was sealed, also percent-encoded and with blanks for +",
    fc.tuple(
      fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" })),
      keyText,
      keyText,
    ),
    ([text, key, secret]) => {
      fc.pre(text.isWellFormed());
      const own = cipherOf(key, secret);
      const sealed = own.seal(text);
      for (const received of [sealed, encodeURIComponent(sealed), sealed.replaceAll("+", " ")]) {
        deepEqual(own.open(received), { ok: true, value: text });
      }
    },
  ),
  law(
    "whatever is received, opening answers with a text or with the one error (F111)",
    fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("base64")),
    ),
    (received) => {
      const opened = cipher.open(received);
      ok(opened.ok ? typeof opened.value === "string" : opened.error === "unreadable");
    },
  ),
  law(
    "a flipped bit never opens to the text that was sealed",
    fc.tuple(fc.string({ minLength: 1 }), fc.nat(), fc.nat(7)),
    ([text, at, bit]) => {
      const bytes = Buffer.from(cipher.seal(text), "base64");
      const place = at % bytes.length;
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      const opened = cipher.open(bytes.toString("base64"));
      ok(!opened.ok || opened.value !== text);
    },
  ),
  law(
    "a sealed text without its end or of another length does not open",
    fc.tuple(fc.string(), fc.integer({ min: 1, max: 15 })),
    ([text, cut]) => {
      const bytes = Buffer.from(cipher.seal(text), "base64");
      deepEqual(cipher.open(bytes.subarray(0, -cut).toString("base64")), {
        ok: false,
        error: "unreadable",
      });
    },
  ),
  law(
    "another key or another secret opens nothing of any length worth the name",
    fc.tuple(fc.string({ minLength: 200, maxLength: 300 }), keyText, keyText),
    ([text, key, secret]) => {
      fc.pre(key !== "a key" && secret !== "a secret");
      const sealed = cipher.seal(text);
      equal(cipherOf(key, secret).open(sealed).ok, false);
      equal(cipherOf(key, "a secret").open(sealed).ok, false);
    },
  ),
];
