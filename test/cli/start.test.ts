import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere, runPayrun, scratch } from "../support/servers/payrun.ts";

/** Passed to Node: on exit, prints the loaded packages to stderr. */
const LISTING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      packages.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    },
  });
  process.on("exit", () => process.stderr.write([...packages].filter(Boolean).sort().join(" ")));
`)}`;

test.each(["--help", "pay --help", "batch report --help"])(
  "loads only the command-line parser for %s, because a person is waiting",
  async (words) => {
    const { code, stderr } = await runPayrun(words.split(" "), {
      NODE_OPTIONS: `--import=${LISTING}`,
    });
    expect({ code, packages: stderr }).toEqual({ code: 0, packages: "commander" });
  },
);

test("queries status only from this machine, and says what to use with a server", async () => {
  const server = "http://127.0.0.1:9";
  for (const ended of [
    await runPayrun(["status", "A-1", "--server", server], {}),
    await runPayrun(["status", "A-1"], { PAYRUN_SERVER: server }),
  ]) {
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("payrun payout query A-1");
  }
});

test.each([
  ["limit rules", "Specify a rule"],
  ["limit rules --when-short maybe", "Allowed choices are warn, refuse."],
])("changes nothing for %s and lists the available settings", async (words, says) => {
  const ended = await runHere(words.split(" "));
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
});

test.each([
  "pay samples/inr.csv",
  "freeze --reason stop",
  "unfreeze --reason go --yes",
  "migrate",
  "doctor",
  "export",
  "key rotate --to new.key",
  "user list",
  "user setup-link",
  "user reset-link asha@example.com",
  "limit set day INR 1000",
  "limit remove day INR",
  "limit rules --zone UTC",
])(
  "uses only this machine's ledger for %s, and does not touch it when a server is named",
  async (words) => {
    const folder = join(scratch(), "data");
    const ended = await runHere(words.split(" "), {
      PAYRUN_SERVER: "http://127.0.0.1:9",
      PAYRUN_DATA: folder,
      DATABASE_URL: "",
    });
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("PAYRUN_SERVER is set"),
    });
    expect(existsSync(folder)).toBe(false);
  },
);
