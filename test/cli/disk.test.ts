import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/servers/eventually.ts";
import { startSetup, type Setup } from "../support/journey.ts";
import { type Env, makeFile, ROOT, rowsOf, scratch } from "../support/servers/payrun.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await startSetup("postgres");
});
afterAll(() => setup.stop());

/** A Linux device on which every write fails as on a full disk. */
const FULL = "/dev/full";
type Stream = "pipe" | "ignore" | number;

function start(args: readonly string[], stdio: [Stream, Stream, Stream], env: Env = {}) {
  const { PATH = "", HOME = "" } = process.env;
  const own = { PATH, HOME, PAYRUN_DATA: setup.folder, ...env };
  return spawn(join(ROOT, "payrun"), args, { cwd: setup.folder, env: own, stdio });
}

async function ended(child: ReturnType<typeof start>): Promise<{ code: unknown; said: string }> {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (piece: Buffer) => (said += piece.toString()));
  }
  const [code] = await once(child, "close");
  return { code, said };
}

test("F28 pays although the log's disk is full", async () => {
  const { path, totals } = makeFile(setup.folder, rowsOf(5));
  const env = { ...setup.env, LOG_LEVEL: "trace" };
  const full = openSync(FULL, "w");
  const paid = await ended(
    start(["pay", path, "--json", ...totals], ["ignore", "pipe", full], env),
  );
  expect(JSON.parse(paid.said)).toMatchObject({ states: { settled: 5 } });
  expect(paid.code).toBe(0);
});

test("F28 reports a full disk for the output in one sentence and by the exit code", async () => {
  const full = openSync(FULL, "w");
  const checked = await ended(
    start(["check", join(ROOT, "samples/mixed.csv")], ["ignore", full, "pipe"]),
  );
  expect(checked.code).toBe(1);
  expect(checked.said).toMatch(/^The output is incomplete because .*no space left on device/);
  expect(checked.said).not.toMatch(/\n\s+at /);
});

test("F28 names the file of rejected rows when its disk is full, and leaves no part behind", async () => {
  const folder = scratch();
  const out = join(folder, "rejects.csv");
  const words = [
    "check",
    join(ROOT, "samples/mistakes.csv"),
    "--amounts",
    "plain",
    "--rejects",
    out,
  ];
  const limited = ["-c", 'ulimit -f 4 && exec "$@"', "sh", join(ROOT, "payrun"), ...words];
  const checked = await ended(spawn("sh", limited, { stdio: ["ignore", "pipe", "pipe"] }));
  expect(checked).toEqual({
    code: 2,
    said: `--rejects ${out}: the file cannot be written (the file exceeds this user's file size limit)\n`,
  });
  expect(await readdir(folder)).toEqual([]);
});

test("F10 leaves no file of that name when killed while it writes rejected rows", async () => {
  const folder = scratch();
  const checking = start(
    ["check", "-", "--rejects", join(folder, "rejects.csv")],
    ["pipe", "ignore", "ignore"],
  );
  const sample = await readFile(join(ROOT, "samples/mistakes.csv"), "utf8");
  const [header = "", ...rows] = sample.trimEnd().split("\n");
  // Enough rows that some are written. The end of the file never arrives.
  checking.stdin?.on("error", () => {});
  checking.stdin?.write(`${header}\n${`${rows.join("\n")}\n`.repeat(2_000)}`);
  await eventually("it has begun to write", async () => {
    const [begun] = await readdir(folder);
    return begun !== undefined && (await readFile(join(folder, begun))).length > 1_000;
  });
  expect(await readdir(folder)).toEqual([`rejects.csv.${checking.pid}.tmp`]);
  checking.kill("SIGKILL");
  await once(checking, "close");
  expect(await readdir(folder)).not.toContain("rejects.csv");
});
