import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAULTS } from "#simulator/faults/faults.ts";
import { runPayrun, scratch } from "../../support/servers/payrun.ts";

test("names a file that the simulator cannot read or write, with its option and the cause", async () => {
  const folder = scratch();
  const wrong = async (...words: string[]) => {
    const { code, stderr } = await runPayrun(["simulator", "--port=0", ...words]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await wrong(`--transaction-log=${folder}/book.jsonl`, "--faults=none.json")).toMatch(
    /^--faults none\.json: cannot be read as JSON \(ENOENT\)$/m,
  );
  expect(await wrong(`--transaction-log=${folder}`)).toMatch(
    /^--transaction-log \S+: cannot be written \(EISDIR\)$/m,
  );
  // Where Node's own recursive mkdir, or reading to the end, never finishes.
  expect(await wrong("--transaction-log=/proc/x/book.jsonl")).toMatch(
    /^--transaction-log \S+: .*\(\w+\)$/m,
  );
  expect(await wrong("--transaction-log=/dev/zero")).toMatch(
    /^--transaction-log \S+: cannot be written: it is a pipe or a device$/m,
  );
});

test("states the unit and the default of each time option", async () => {
  const { stdout } = await runPayrun(["simulator", "--help"]);
  const help = stdout.replaceAll(/\s+/g, " ");
  expect(help).toContain(
    "--settle-ms <ms> milliseconds from acceptance to the final state (default: 2000)",
  );
  expect(help).toContain(
    "--expire-ms <ms> milliseconds that a deposit waits for its payer (default: 900000)",
  );
});

test("names the addresses of statements, balances and the operator page in its help", async () => {
  const { stdout } = await runPayrun(["simulator", "--help"]);
  for (const path of ["/operator", "/statement", "/statement-balances", "/transaction-log"])
    expect(stdout).toMatch(new RegExp(`^ {2}${path} +\\S`, "m"));
});

test("reports a wrong option or file in the simulator's own words", async () => {
  const folder = scratch();
  const wrong = async (...words: string[]) =>
    (await runPayrun(["simulator", "--port=0", `--transaction-log=${folder}/b`, ...words])).stderr;
  expect(await wrong("--refusals=500", "--zone=IST")).toBe(
    'Options of the simulator:\n  --refusals must be one of 200, 400 (found "500")\n' +
      '  --zone must be GMT 05:30 or GMT+05:30 (found "IST")\n',
  );
  const rules = [{ fault: "http_429", rate: 5 }, { fault: "none", first: 1.5 }, "x"];
  writeFileSync(join(folder, "f.json"), JSON.stringify(rules));
  const lines = (await wrong(`--faults=${folder}/f.json`)).split("\n");
  expect(lines.slice(1)).toEqual([
    "  entry 1: rate: at most 1",
    "  entry 2: fault: unknown fault none; payrun simulator --list-faults prints all faults",
    "  entry 2: first: a whole number",
    "  entry 3: an object",
    "",
  ]);
});

test("lists every fault with its effect, without starting the simulator", async () => {
  const { code, stdout } = await runPayrun(["simulator", "--list-faults"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Refusals:\n {2}code_109 +refuses the request with this error code$/m);
  const named = [...stdout.matchAll(/^ {2}(\S+) +\S/gm)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(Object.keys(FAULTS)));
});
