import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Secret } from "#base/secret.ts";
import { Erased, subjectOf } from "#ledger/store/keys/subject-keys.ts";
import { createSealer, KeyUsed, rotatedRing } from "#ledger/store/sealing.ts";

const newKey = () => new Secret(randomBytes(32).toString("hex"));
const person = Buffer.from("0102030405060708", "hex");
const other = Buffer.from("0102030405ff0708", "hex");

test("destroys the data of one person, whose next payout gets another key", () => {
  const { subjects } = createSealer(newKey());
  const [first, second] = [subjects.seal(person, "Asha", "p"), subjects.seal(other, "Ravi", "p")];
  expect(subjects.open(first, "p")).toBe("Asha");
  subjects.load(subjects.withoutSubjects([subjectOf(first) ?? ""]));
  expect(subjects.version).toBe(1);
  expect(() => subjects.open(first, "p")).toThrow(Erased);
  expect(subjects.open(second, "p")).toBe("Ravi");
  const next = subjects.seal(person, "Asha again", "p");
  expect(subjectOf(next)).not.toBe(subjectOf(first));
  expect(subjects.open(next, "p")).toBe("Asha again");
  // The same person can be erased again.
  subjects.load(subjects.withoutSubjects([subjectOf(next) ?? ""]));
  expect(() => subjects.open(next, "p")).toThrow(Erased);
  expect(subjects.open(subjects.seal(person, "third", "p"), "p")).toBe("third");
});

test("opens data only in its place and unchanged", () => {
  const { subjects } = createSealer(newKey());
  const sealed = subjects.seal(person, "Asha", "p");
  expect(() => subjects.open(sealed, "q")).toThrow("authenticate");
  for (let bit = 8 * 7; bit < sealed.length * 8; bit += 1) {
    const turned = Buffer.from(sealed);
    turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => subjects.open(turned, "p")).toThrow(/./);
  }
  expect(() => subjects.open(sealed.subarray(0, 20), "p")).toThrow(/./);
  expect(() => subjects.open(sealed.subarray(0, 1), "p")).toThrow(Erased);
});

test("keeps data of a rotated key, whose backups no key of the ledger can open", () => {
  const [old, next] = [newKey(), newKey()];
  const before = createSealer(old);
  const texts = [before.subjects.seal(person, "Asha", "p"), before.subjects.seal(other, "R", "p")];
  const [erased, kept] = texts as [Buffer, Buffer];
  const ring = rotatedRing(old, null, next);
  const after = createSealer(next, ring);
  before.subjects.load(before.subjects.withoutSubjects([subjectOf(erased) ?? ""]));
  after.subjects.load(before.subjects.underKey(after.subjects, false));
  expect(after.subjects.open(kept, "p")).toBe("R");
  expect(() => after.subjects.open(erased, "p")).toThrow(Erased);
  // Without the stored tree, the keys are others.
  expect(() => createSealer(next, ring).subjects.open(erased, "p")).toThrow("authenticate");
  // The ring does not contain the old key, from which the old tree is derived.
  const opened = createSealer(next).open(Buffer.from(ring, "base64"), "settings key_ring");
  expect(opened).not.toContain(old.reveal());
  expect(after.digest("a")).toEqual(before.digest("a"));
  expect(after.codeDigest("a")).toEqual(before.codeDigest("a"));
  expect(after.open(before.seal("x", "p"), "p")).toBe("x");
  expect(after.sign(1, "line")).toEqual(before.sign(1, "line"));
  expect(after.publicKeys()[0]).toBe(before.publicKeys()[0]);
});

test("refuses a PAYRUN_KEY that the ledger had before", () => {
  const [first, second, third] = [newKey(), newKey(), newKey()];
  const ring = rotatedRing(first, null, second);
  expect(() => rotatedRing(second, ring, first)).toThrow(KeyUsed);
  expect(() => rotatedRing(second, ring, second)).toThrow(KeyUsed);
  expect(() => rotatedRing(first, null, first)).toThrow(KeyUsed);
  const later = rotatedRing(second, ring, third);
  expect(createSealer(third, later).generation).toBe(3);
});
