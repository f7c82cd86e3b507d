/**
 * Sizes of the files that a browser must load. Approvers often use a phone on a slow connection.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { beforeAll, expect, test } from "vitest";

import { builtDashboard } from "../support/dashboard/built-dashboard.ts";
import { ROOT } from "../support/servers/payrun.ts";

const FIRST_LOAD_BYTES_MAX = 200_000;
const ROUTE_BYTES_MAX = 60_000;

const DIST = join(ROOT, "dashboard/dist");

/** A chunk as listed in Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

let chunks: Readonly<Record<string, Chunk>>;
beforeAll(async () => {
  await builtDashboard();
  chunks = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));
});

/** Files loaded with this chunk, including its imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = chunks[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) seen.add(file);
  for (const other of chunk.imports ?? []) filesOf(other, seen);
  return seen;
}

const weightOf = (files: Iterable<string>): number =>
  [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length,
    0,
  );

const ENTRY = "index.html";
const pages = (): string[] => Object.keys(chunks).filter((name) => name.startsWith("src/pages/"));

test("loads at most 200 kB of compressed scripts and styles on the first page", () => {
  const first = filesOf(ENTRY).union(filesOf("src/pages/operations/home/home.tsx"));
  expect(weightOf(first)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
});

test("adds at most 60 kB on any other page", () => {
  const entry = filesOf(ENTRY);
  const weights = pages().map((name) => [name, weightOf(filesOf(name).difference(entry))] as const);
  expect(weights.length).toBeGreaterThan(1);
  expect(weights.filter(([, bytes]) => bytes > ROUTE_BYTES_MAX)).toEqual([]);
});
