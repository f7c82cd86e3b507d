/** The compiled code of a release, run below node_modules, where Node accepts no TypeScript. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { version } from "#base/version.ts";
import {
  compileInto,
  copyFiles,
  publicManifest,
  writeJson,
} from "../../scripts/release/package.ts";
import { ROOT, scratch } from "../support/servers/payrun.ts";

const COMMIT = "2eb583380c1f000000000000000000000000aaaa";
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const installed = join(scratch(), "node_modules/payrun");

const payrun = (...args: string[]): string =>
  execFileSync(join(installed, "payrun"), args, { encoding: "utf8", cwd: scratch() });

beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  compileInto(installed);
  copyFiles(installed);
  writeJson(join(installed, "package.json"), publicManifest(manifest));
  writeJson(join(installed, "build.json"), { commit: COMMIT });
  symlinkSync(join(ROOT, "node_modules"), join(installed, "node_modules"));
}, 60_000);

describe("the npm package", () => {
  test("starts, and names the commit that it was built from", () => {
    expect(payrun("--version")).toBe(`payrun ${version} (commit ${COMMIT})\n`);
  });

  test("loads every command", () => {
    expect(payrun("--help")).toContain("payrun");
    expect(payrun("demo", "--help")).toContain("--once");
  });

  test("measures passwords in a thread of its own", () => {
    const path = join(scratch(), "try.mjs");
    const strength = join(installed, "src/people/password-strength.js");
    writeFileSync(
      path,
      `const { estimateGuesses } = await import(${JSON.stringify(strength)});
      console.log(await estimateGuesses({ password: "correct horse battery", words: [] }) > 0);
      process.exit();`,
    );
    expect(execFileSync(process.execPath, [path], { encoding: "utf8" })).toBe("true\n");
  });

  test("checks a workbook, in a thread of its own, like a checkout", () => {
    const file = join(scratch(), "template.xlsx");
    const template = execFileSync(join(installed, "payrun"), ["template", "INR", "--xlsx"]);
    writeFileSync(file, template);
    const check = (root: string) =>
      spawnSync(join(root, "payrun"), ["check", file], { encoding: "utf8", cwd: scratch() });
    const { status, stdout, stderr } = check(installed);
    expect(stdout + stderr).toContain("1 row");
    const { status: expected, ...checkout } = check(ROOT);
    expect({ status, stdout, stderr }).toMatchObject({
      status: expected,
      stdout: checkout.stdout,
      stderr: checkout.stderr,
    });
  });

  test("names no TypeScript file, and contains none", () => {
    const files = ["src", "jobs", "workers", "simulator"].flatMap((folder) =>
      readdirSync(join(installed, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(installed, folder, name),
      ),
    );
    const scripts = files.filter((path) => path.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(400);
    expect(files.filter((path) => path.endsWith(".ts"))).toEqual([]);
    const naming = scripts.filter((path) =>
      /["'][\w#./-]+\.ts["']/.test(readFileSync(path, "utf8")),
    );
    expect(naming).toEqual([]);
  });

  test("contains the API client with its types, which loads no other code", () => {
    const folder = join(scratch(), "apart");
    const own = join(folder, "node_modules/payrun");
    cpSync(join(installed, "client"), join(own, "client"), { recursive: true });
    cpSync(join(installed, "package.json"), join(own, "package.json"));
    writeFileSync(
      join(folder, "erp.mts"),
      `import { PayrunClient } from "payrun/client";
      const fetch = async () => Response.json({ code: "PR1" }, { status: 201 });
      const payrun = new PayrunClient({ server: "https://pay.example", key: "pk_1", fetch });
      const body = { currency_code: "INR", transaction_amount: "1.00" };
      const { code } = await payrun.call("POST /api/payouts", { body, idempotencyKey: "1" });
      const text: string = code;
      console.log(text);
      const numeric = { ...body, transaction_amount: 1 };
      // @ts-expect-error: an amount is a text.
      await payrun.call("POST /api/payouts", { body: numeric, idempotencyKey: "2" });`,
    );
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder });
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
    const strict = ["--strict", "--noEmit", "--target", "esnext", "--module", "nodenext"];
    expect(run(tsc, ...strict, ...types, "erp.mts")).toMatchObject({ stdout: "", status: 0 });
    expect(run("erp.mts")).toMatchObject({ stdout: "PR1\n", status: 0 });
  });

  test("contains the dependencies, and no script that an installation could run", () => {
    const { dependencies, bundleDependencies, ...rest } = publicManifest(manifest);
    expect(bundleDependencies).toEqual(Object.keys(dependencies));
    expect(rest).not.toHaveProperty("scripts");
    expect(rest).not.toHaveProperty("devDependencies");
    expect(rest).toHaveProperty("optionalDependencies");
  });
});
