import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer, readKey } from "#ledger/store/sealing.ts";
import { Secret } from "#base/secret.ts";

const sealer = createSealer(
  new Secret("c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25"),
);
const other = createSealer(
  new Secret("91e07c5ab2d84f6310f9ce8d27a46b53e8150dc37f6294bb0a1d83f7c25e96b4"),
);

describe("encrypted data", () => {
  test("decrypts with its key in its place, for every text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, place) => {
        expect(sealer.open(sealer.seal(text, place), place)).toBe(text);
      }),
    );
  });

  test("decrypts in no other place and with no other key", () => {
    const sealed = sealer.seal("50100012345678", "payout_details PR1");
    expect(() => sealer.open(sealed, "payout_details PR2")).toThrow("authenticate");
    expect(() => other.open(sealed, "payout_details PR1")).toThrow("authenticate");
  });

  test("F33 refuses every single flipped bit", () => {
    const sealed = sealer.seal("50100012345678", "place");
    const opened = Array.from({ length: sealed.length * 8 }, (_, bit) => {
      const turned = Buffer.from(sealed);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        return sealer.open(turned, "place");
      } catch {
        return null;
      }
    });
    expect(opened.filter((text) => text !== null)).toEqual([]);
  });

  test("refuses truncated data", () => {
    const sealed = sealer.seal("50100012345678", "place");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => sealer.open(sealed.subarray(0, length), "place")).toThrow(/./);
    }
  });

  test("encrypts one text differently each time, beyond the pool of nonces", () => {
    const sealed = Array.from({ length: 1_000 }, () => sealer.seal("x", "y").toString("hex"));
    expect(new Set(sealed).size).toBe(1_000);
  });
});

describe("lookup digests", () => {
  test("are equal for equal texts under one key only", () => {
    expect(sealer.digest("a").equals(sealer.digest("a"))).toBe(true);
    expect(sealer.digest("a").equals(sealer.digest("b"))).toBe(false);
    expect(sealer.digest("a").equals(other.digest("a"))).toBe(false);
    expect(sealer.keyCheck).not.toBe(other.keyCheck);
  });
});

test("accepts only a key of 32 bytes in hexadecimal or Base64", () => {
  const bytes = Buffer.alloc(32, 7);
  expect(readKey(bytes.toString("hex")).equals(bytes)).toBe(true);
  expect(readKey(bytes.toString("base64")).equals(bytes)).toBe(true);
  for (const wrong of [
    "",
    "secret",
    bytes.toString("hex").slice(2),
    `${bytes.toString("hex")}00`,
  ]) {
    expect(() => readKey(wrong)).toThrow("PAYRUN_KEY");
  }
});
