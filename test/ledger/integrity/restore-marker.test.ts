import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  reportingMarkerStore,
  checkMarkerWritable,
  createMarkerStore,
  replaceFile,
} from "#ledger/integrity/restore-marker.ts";
import { scratch } from "../../support/servers/payrun.ts";

const WITNESS = { ledgerId: "L1", epoch: 1, wal: "0/1", attempt: null };

test("reports a restore marker that cannot be written, once until it can, and leaves no temporary file", async () => {
  const folder = scratch();
  const told: string[] = [];
  const store = reportingMarkerStore(createMarkerStore(folder), (words) => told.push(words));
  const inTheWay = join(folder, "restore-marker-L1.json");
  mkdirSync(inTheWay);
  for (let tries = 0; tries < 3; tries += 1) await store.write(WITNESS).catch(() => {});
  expect(told).toEqual([expect.stringContaining("EISDIR")]);
  expect(readdirSync(folder)).toEqual(["restore-marker-L1.json"]);

  rmdirSync(inTheWay);
  await store.write(WITNESS);
  expect(await store.read("L1")).toEqual(WITNESS);
});

test("replaces a file from two places of a process at once", async () => {
  const folder = scratch();
  const file = join(folder, "audit-verified-L1.json");
  const texts = Array.from({ length: 20 }, (_, number) => `text ${number}`);
  await Promise.all(texts.map((text) => replaceFile(folder, file, text)));
  expect(readdirSync(folder)).toEqual(["audit-verified-L1.json"]);
  expect(texts).toContain(readFileSync(file, "utf8"));
});

test("tests whether a restore marker can be written without leaving anything", async () => {
  const folder = scratch();
  await checkMarkerWritable(folder);
  expect(readdirSync(folder)).toEqual([]);
  const file = join(folder, "file");
  writeFileSync(file, "");
  await expect(checkMarkerWritable(file)).rejects.toThrow("part of the path is a file");
});

test("removes the temporary file of a killed process, but not a recent one of another process", async () => {
  const folder = scratch();
  const drafts = ["restore-marker-L1.json.999991", "witness-L2.json.999992", "other.json.999993"];
  for (const name of drafts) writeFileSync(join(folder, name), "");
  const longAgo = new Date(Date.now() - 120_000);
  for (const name of [drafts[0] ?? "", drafts[2] ?? ""])
    utimesSync(join(folder, name), longAgo, longAgo);
  await createMarkerStore(folder).write(WITNESS);
  expect(readdirSync(folder).toSorted()).toEqual([
    "other.json.999993",
    "restore-marker-L1.json",
    "witness-L2.json.999992",
  ]);
});

test("reads the file of an earlier version until it has written its own", async () => {
  const folder = scratch();
  const earlier = join(folder, "witness-L1.json");
  const store = createMarkerStore(folder);
  expect(await store.read("L1")).toBeNull();
  writeFileSync(earlier, `${JSON.stringify({ ...WITNESS, wal: "0/7" })}\n`);
  expect(await store.read("L1")).toEqual({ ...WITNESS, wal: "0/7" });

  await store.write({ ...WITNESS, wal: "0/8" });
  expect(readdirSync(folder)).toEqual(["restore-marker-L1.json"]);
  expect(await createMarkerStore(folder).read("L1")).toEqual({ ...WITNESS, wal: "0/8" });
});

test("prefers its own file to the file of an earlier version", async () => {
  const folder = scratch();
  await createMarkerStore(folder).write({ ...WITNESS, wal: "0/8" });
  writeFileSync(join(folder, "witness-L1.json"), JSON.stringify({ ...WITNESS, wal: "0/7" }));
  expect(await createMarkerStore(folder).read("L1")).toEqual({ ...WITNESS, wal: "0/8" });
});
