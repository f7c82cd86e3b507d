import { createCipheriv, createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Cipher } from "#gateway/wire/cipher.ts";
import { bodyOf, ENDPOINTS } from "#gateway/wire/endpoints.ts";
import { Secret } from "#base/secret.ts";

interface Vector {
  readonly id: string;
  readonly plaintext: string;
  readonly api_key: string;
  readonly secret_key: string;
  readonly base64: string;
  readonly key_param: string;
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(new URL("../cipher-vectors.json", import.meta.url), "utf8"),
);
const cipherOf = (apiKey: string, secret: string) =>
  new Cipher(new Secret(apiKey), new Secret(secret));
const cipher = cipherOf("test-api-key", "test-secret-key");

describe("the published vectors (F125)", () => {
  test("include all seven", () => {
    expect(VECTORS.map(({ id }) => id)).toEqual(["TV1", "TV2", "TV3", "TV4", "TV5", "TV6", "TV7"]);
  });

  test.each(VECTORS)(
    "match $id byte for byte in both directions (SPEC-A02, SPEC-A04)",
    (vector) => {
      const own = cipherOf(vector.api_key, vector.secret_key);
      expect(own.seal(vector.plaintext)).toBe(vector.base64);
      expect(own.open(vector.base64)).toEqual({ ok: true, value: vector.plaintext });
      expect(own.open(vector.key_param)).toEqual({ ok: true, value: vector.plaintext });
      expect(JSON.parse(bodyOf(ENDPOINTS.payout, vector.base64)).key).toBe(vector.key_param);
    },
  );

  test.each(VECTORS)(
    "keep $id through a form body and a decoder that turns + into a blank",
    (vector) => {
      const own = cipherOf(vector.api_key, vector.secret_key);
      for (const transport of ["base64", "percent"] as const) {
        const form = bodyOf(ENDPOINTS.status, vector.base64, transport);
        const received = new URLSearchParams(form).get("key") ?? "";
        expect(received).toBe(transport === "base64" ? vector.base64 : vector.key_param);
        expect(own.open(received)).toEqual({ ok: true, value: vector.plaintext });
      }
      const blanks = vector.base64.replaceAll("+", " ");
      expect(own.open(blanks)).toEqual({ ok: true, value: vector.plaintext });
      expect(own.open(encodeURIComponent(blanks))).toEqual({ ok: true, value: vector.plaintext });
    },
  );
});

test("refuses every bad padding, and reads a text of one padding block as empty", () => {
  const bytes = Buffer.from(cipher.seal("0123456789abcde"), "base64");
  let opened = 0;
  for (let last = 0; last < 256; last += 1) {
    const changed = Buffer.from(bytes);
    changed[15] = last;
    if (cipher.open(changed.toString("base64")).ok) opened += 1;
  }
  // The correct byte. Another one decrypts by chance once in 256 and must still be UTF-8.
  expect(opened).toBeGreaterThanOrEqual(1);
  expect(opened).toBeLessThanOrEqual(3);
  expect(cipher.open(cipher.seal(""))).toEqual({ ok: true, value: "" });
  expect(cipher.open("")).toEqual({ ok: false, error: "unreadable" });
});

describe("refuses text that is neither bare nor percent-encoded Base64", () => {
  const sealed = cipher.seal("merchant_api_key=AbC&transaction_code=WD-0001");
  test.each([
    ["a character before it", `!${sealed}`],
    ["a line break after it", `${sealed}\n`],
    ["a character within it", `${sealed.slice(0, 8)}!${sealed.slice(8)}`],
    ["blocks without padding", sealed.slice(0, 20)],
    [
      "bytes after the last block",
      Buffer.concat([Buffer.from(sealed, "base64"), Buffer.from("abc")]).toString("base64"),
    ],
    ["half a group after it", `${sealed}AA`],
    ["padding in the middle", `${sealed.slice(0, 18)}==${sealed.slice(20)}`],
    ["the URL alphabet", "-_".repeat(32)],
    ["a broken escape", `${sealed.slice(0, 4)}%zz${sealed.slice(4)}`],
    ["nothing", ""],
    ["one padding character too few", cipher.seal("x").slice(0, -1)],
  ])("%s", (_what, text) => {
    expect(cipher.open(text)).toEqual({ ok: false, error: "unreadable" });
  });
});

test.each([
  [49_151, true],
  [49_152, false],
])("decrypts a text of %i bytes, 64 kB or just more when encrypted: %s", (length, opens) => {
  expect(cipher.open(cipher.seal("x".repeat(length))).ok).toBe(opens);
});

describe("accepts only PKCS#7 padding and UTF-8", () => {
  /** Encrypted as the description says, with the plaintext's padding as given. */
  const sealed = (plain: readonly number[]): string => {
    const key = createHash("sha256").update("test-api-key").digest();
    const iv = createHash("sha256").update("test-secret-key").digest("hex").slice(0, 16);
    const aes = createCipheriv("aes-256-cbc", key, iv).setAutoPadding(false);
    return Buffer.concat([aes.update(Buffer.from(plain)), aes.final()]).toString("base64");
  };
  const filled = (length: number, byte: number): number[] => Array.from({ length }, () => byte);
  const X = 0x78;

  test.each([
    ["one byte", [...filled(15, X), 1], "x".repeat(15)],
    ["two bytes", [...filled(14, X), 2, 2], "x".repeat(14)],
    ["a full block of padding", [...filled(16, X), ...filled(16, 16)], "x".repeat(16)],
  ])("padding of %s", (_what, plain, text) => {
    expect(cipher.open(sealed(plain))).toEqual({ ok: true, value: text });
  });

  test.each([
    ["zero padding bytes", filled(16, 0)],
    ["more padding than a block", filled(16, 17)],
    ["more padding than text", filled(32, 32)],
    ["a different first padding byte", [...filled(13, X), 4, 3, 3]],
    ["a different middle padding byte", [...filled(12, X), 4, 3, 4, 4]],
    ["a different first of sixteen", [...filled(16, X), 15, ...filled(15, 16)]],
    ["bytes that are not UTF-8", [...filled(14, X), 0xff, 1]],
    ["half a character at the end", [...filled(14, X), 0xc3, 1]],
  ])("refuses %s", (_what, plain) => {
    expect(cipher.open(sealed(plain))).toEqual({ ok: false, error: "unreadable" });
  });
});

test("keeps a byte order mark at the start of a text", () => {
  const own = cipherOf("k", "s");
  expect(own.open(own.seal("\ufeffx"))).toEqual({ ok: true, value: "\ufeffx" });
});

test("does not decrypt with another key", () => {
  const other = cipherOf("another-api-key", "test-secret-key");
  const sealed = other.seal(
    JSON.stringify({ transaction_code: "WD-0001", filler: "x".repeat(64) }),
  );
  expect(cipher.open(sealed)).toEqual({ ok: false, error: "unreadable" });
});

test("never prints a key", () => {
  const digest = createHash("sha256").update("test-api-key").digest("hex");
  const printed = inspect(cipher, { depth: 9, showHidden: true }) + JSON.stringify({ cipher });
  expect(printed).toBe('[cipher]{"cipher":"[cipher]"}');
  expect(printed).not.toContain(digest.slice(0, 8));
});
