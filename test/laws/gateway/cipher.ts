import { deepEqual, equal, ok } from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { createCipheriv, createHash } from "node:crypto";
import fc from "fast-check";
import { Cipher } from "#gateway/wire/cipher.ts";
import { bodyOf, ENDPOINTS } from "#gateway/wire/endpoints.ts";
import { Secret } from "#base/secret.ts";
import { law } from "../base/law.ts";

const keyText = fc.string({ minLength: 1 });
const cipherOf = (key: string, secret: string) => new Cipher(new Secret(key), new Secret(secret));
const cipher = cipherOf("a key", "a secret");

/**
 * Encrypts bytes by the description alone (gateway.md section 1), without padding of its own.
 */
function sealedBytes(plain: Uint8Array): string {
  const key = createHash("sha256").update("a key").digest();
  const iv = createHash("sha256").update("a secret").digest("hex").slice(0, 16);
  const aes = createCipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
  return Buffer.concat([aes.update(plain), aes.final()]).toString("base64");
}

export const CIPHER_LAWS = [
  law(
    "a body returns its encrypted text, as JSON and as a form, in both encodings (F125)",
    fc.tuple(fc.string(), fc.constantFrom("base64" as const, "percent" as const)),
    ([text, transport]) => {
      const sealed = cipher.seal(text);
      const key = transport === "percent" ? encodeURIComponent(sealed) : sealed;
      equal(JSON.parse(bodyOf(ENDPOINTS.payout, sealed, transport)).key, key);
      equal(new URLSearchParams(bodyOf(ENDPOINTS.status, sealed, transport)).get("key"), key);
    },
  ),
  law(
    "decryption returns the encrypted text, also when percent-encoded or with blanks for +",
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
    "decryption of any input returns a text or the one error (F111)",
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
    "a flipped bit never decrypts to the original text",
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
    "only PKCS#7 padding and UTF-8 decrypt",
    fc.tuple(fc.uint8Array({ maxLength: 31 }), fc.nat(20), fc.nat(20), fc.nat(15)),
    ([content, count, length, at]) => {
      const padding = Buffer.alloc(length, count);
      if (length > 0 && at < 4) padding[at % length] = count + 1;
      const plain = Buffer.concat([content, padding]);
      fc.pre(plain.length > 0 && plain.length % 16 === 0);
      const last = plain.at(-1) ?? 0;
      const isPadded =
        last >= 1 && last <= 16 && plain.subarray(-last).every((byte) => byte === last);
      const kept = plain.subarray(0, plain.length - last);
      deepEqual(
        cipher.open(sealedBytes(plain)),
        isPadded && isUtf8(kept)
          ? { ok: true, value: kept.toString() }
          : { ok: false, error: "unreadable" },
      );
    },
  ),
  law(
    "an encrypted text that is truncated or of another length does not decrypt",
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
    "another key or secret decrypts no text of relevant length",
    fc.tuple(fc.string({ minLength: 200, maxLength: 300 }), keyText, keyText),
    ([text, key, secret]) => {
      fc.pre(key !== "a key" && secret !== "a secret");
      const sealed = cipher.seal(text);
      equal(cipherOf(key, secret).open(sealed).ok, false);
      equal(cipherOf(key, "a secret").open(sealed).ok, false);
    },
  ),
];
