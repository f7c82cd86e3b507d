import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeShard,
  encodeShard,
  KeyTree,
  shardNumber,
  shardPath,
  SHARDS,
} from "#ledger/store/keys/key-tree.ts";

const newTree = (): KeyTree =>
  new KeyTree(
    Array.from(
      { length: SHARDS },
      (_, shard) => new Map([[shardPath(shard), randomBytes(32).toString("latin1")]]),
    ),
  );

/** Subjects that share long beginnings, and others. */
const subjects = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom("", "00", "ab12", "ab1234567"), fc.stringMatching(/^[0-9a-f]{0,12}$/))
    .map(join),
  { minLength: 2, maxLength: 30 },
);

function join([beginning, rest]: readonly [string, string]): string {
  return (beginning + rest).padEnd(12, "7").slice(0, 12);
}

test("destroys the keys of these subjects only, for every set of subjects", () => {
  fc.assert(
    fc.property(subjects, fc.nat(), (all, at) => {
      const tree = newTree();
      const before = new Map(all.map((subject) => [subject, tree.keyOf(subject)?.toString("hex")]));
      const erased = all.slice(0, at % all.length);
      const left = tree.without(erased);
      // One after the other has the same result.
      const stepwise = erased.reduce((each, subject) => each.without([subject]), tree);
      for (const subject of all) {
        const key = erased.includes(subject) ? undefined : before.get(subject);
        expect(left.keyOf(subject)?.toString("hex")).toBe(key);
        expect(stepwise.keyOf(subject)?.toString("hex")).toBe(key);
      }
    }),
    { numRuns: 200 },
  );
});

test("keeps no secret from which a destroyed key can be derived", () => {
  const tree = newTree();
  const subject = "ab12cd34ef56";
  const key = tree.keyOf(subject)?.toString("latin1");
  const left = tree.without([subject]).shardOf(subject);
  expect([...left.values()]).not.toContain(key);
  for (const path of left.keys()) expect(subject.startsWith(path)).toBe(false);
  // Fifteen siblings on each of ten levels.
  expect(left.size).toBe(150);
});

test("gives each subject its own key", () => {
  const tree = newTree();
  const keys = Array.from({ length: 1_000 }, () => {
    const key = tree.keyOf(randomBytes(6).toString("hex"));
    expect(key?.length).toBe(32);
    return key?.toString("hex");
  });
  expect(new Set(keys).size).toBe(1_000);
  expect(tree.keyOf("ab12cd34ef56")).not.toEqual(tree.keyOf("ab12cd34ef57"));
});

test("stores a shard and reads it again", () => {
  const subject = "ff0011223344";
  const { [shardNumber(subject)]: shard = new Map() } = newTree().without([subject]).shards;
  expect(decodeShard(encodeShard(shard))).toEqual(shard);
  expect(() => decodeShard(encodeShard(shard).subarray(1))).toThrow("damaged");
});

test("refuses a tree that lacks shards", () => {
  expect(() => new KeyTree([])).toThrow("256 shards");
});
