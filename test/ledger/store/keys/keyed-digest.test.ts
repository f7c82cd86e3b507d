import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyedDigest } from "#ledger/store/keys/keyed-digest.ts";

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  // Halves of surrogate pairs, and texts around the size of the buffer.
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(fc.integer({ min: 1_020, max: 1_030 }), fc.constantFrom("a", "é", "語", "😀"))
    .map(([length, letter]) => letter.repeat(length)),
);

test("equals the HMAC of Node for every key and text", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.array(texts, { minLength: 2 }), (size, all) => {
      const key = createSecretKey(randomBytes(size));
      const digest = keyedDigest(key);
      // One function for all texts: a long text must leave no bytes for a short one.
      const found = all.map(digest);
      expect(found.map((each) => each.toString("hex"))).toEqual(
        all.map((text) => createHmac("sha256", key).update(text).digest("hex")),
      );
    }),
  );
});

test("refuses keys that HMAC would hash first", () => {
  expect(() => keyedDigest(createSecretKey(randomBytes(65)))).toThrow("at most 64 bytes");
});
