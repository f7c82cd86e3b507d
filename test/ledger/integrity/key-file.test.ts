import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOrCreateKeyFile } from "#ledger/integrity/sealing-keys.ts";
import { scratch } from "../../support/servers/payrun.ts";

const KEY = "c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25";

test("creates the key of an embedded ledger once and keeps it", () => {
  const folder = scratch();
  const key = readOrCreateKeyFile(folder).reveal();
  mkdirSync(join(folder, "pg"));
  expect(readOrCreateKeyFile(folder).reveal()).toBe(key);
  expect(statSync(join(folder, "key")).mode & 0o777).toBe(0o600);
});

test.skipIf(!existsSync("/sys"))(
  "reports a folder that cannot store a new key, with what to do",
  () => {
    // Nobody may create a file there, not even root.
    expect(() => readOrCreateKeyFile("/sys")).toThrow(
      /^PAYRUN_DATA \/sys cannot store a new key: .*\. Set it to a folder that this user may write to, or set DATABASE_URL\.$/,
    );
  },
);

test.each([
  { name: "that was lost", make: () => {}, found: "it does not exist" },
  {
    name: "that is empty",
    make: (file: string) => writeFileSync(file, ""),
    found: "it does not contain a key",
  },
  {
    name: "cut off",
    make: (file: string) => writeFileSync(file, KEY.slice(2)),
    found: "it does not contain a key",
  },
  {
    name: "that is a folder",
    make: (file: string) => mkdirSync(file),
    found: "it cannot be read (EISDIR)",
  },
])("reports a key $name of an existing ledger, and creates no other", ({ make, found }) => {
  const folder = scratch();
  mkdirSync(join(folder, "pg"));
  make(join(folder, "key"));
  const before = readdirSync(folder);
  expect(() => readOrCreateKeyFile(folder)).toThrow(
    `${folder}/key must contain the key that encrypted this ledger`,
  );
  expect(() => readOrCreateKeyFile(folder)).toThrow(found);
  expect(readdirSync(folder)).toEqual(before);
});
