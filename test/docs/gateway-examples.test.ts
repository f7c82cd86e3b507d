import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { writeClientPackage } from "../../scripts/client-package.ts";
import { type SimulatorProcess, startSimulator } from "../support/servers/simulator.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "payrun-examples-"));
let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(async () => {
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program in a separate folder and returns its output and exit code. */
function run(file: string, env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => (said += piece.toString()));
  }
  return new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, said }));
  });
}

const STRICT = [
  "--strict",
  "--noEmit",
  "--skipLibCheck",
  "--target",
  "esnext",
  "--module",
  "nodenext",
];

test("compiles and runs the examples of src/gateway/README.md with only the client package", async () => {
  const page = readFileSync(join(root, "src/gateway/README.md"), "utf8");
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  expect(blocks).toHaveLength(3);

  const installed = join(folder, "node_modules");
  const client = join(installed, "payrun-gateway");
  mkdirSync(installed);
  writeClientPackage(client);
  const { dependencies } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  for (const name of ["@types", ...Object.keys(dependencies)]) {
    symlinkSync(join(root, "node_modules", name), join(installed, name));
  }
  writeFileSync(join(folder, "shop.mts"), blocks.join("\n"));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  expect(await run(tsc, {}, [...STRICT, "--types", "node", "shop.mts"])).toEqual({
    code: 0,
    said: "",
  });
  const merchant = DEMO_MERCHANTS.find(({ currencies }) => currencies.includes("INR"));
  const { code, said } = await run("shop.mts", {
    GATEWAY_URL: simulator.url,
    MERCHANT_API_KEY: merchant?.api_key ?? "",
    MERCHANT_API_SECRET: merchant?.api_secret ?? "",
  });
  expect(said).toMatch(
    /^pay 1500\.00 to simulated\.\d{4}@upi\npending 1500\.00\n1000000000\.000\n$/,
  );
  expect(code).toBe(0);
});
