import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEMO_MERCHANTS_FILE } from "#simulator/demo-merchants.ts";
import { runPayrun, scratch } from "../../support/servers/payrun.ts";
import { startSimulator } from "../../support/servers/simulator.ts";

test("writes the given settings to .env, which only its owner can read, and checks the gateway", async () => {
  const folder = scratch();
  const simulator = await startSimulator();
  const words = [`--gateway-url=${simulator.url}`, `--merchants=${DEMO_MERCHANTS_FILE}`];
  const { code, stderr } = await runPayrun(["init", ...words], {}, folder);
  await simulator.stop();
  expect(stderr).toContain(`Wrote ${join(folder, ".env")}, readable only by you.`);
  expect(stderr).toContain(`gateway: ${simulator.url} is reachable`);
  expect(stderr).not.toContain("broken ");
  expect(code).toBe(0);
  expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
  const text = readFileSync(join(folder, ".env"), "utf8");
  expect(text).toContain(`\nGATEWAY_URL=${simulator.url}\n`);
  expect(text).toContain(`\nPAYRUN_DATA=${join(folder, ".payrun")}\n`);
  expect(text).toContain("\n# DATABASE_URL=");
});

test("does not change an existing .env", async () => {
  const folder = scratch();
  writeFileSync(join(folder, ".env"), "PORT=3001\n");
  const { code, stderr } = await runPayrun(["init"], {}, folder);
  expect(code).toBe(6);
  expect(stderr).toContain("already exists and was not changed");
  expect(readFileSync(join(folder, ".env"), "utf8")).toBe("PORT=3001\n");
});

test("says that the gateway does not respond, and keeps the file", async () => {
  const folder = scratch();
  const words = ["--gateway-url=http://127.0.0.1:1", `--merchants=${DEMO_MERCHANTS_FILE}`];
  const { code, stderr } = await runPayrun(["init", ...words], {}, folder);
  expect(code).toBe(9);
  expect(stderr).toContain("check GATEWAY_URL, the network");
  expect(readFileSync(join(folder, ".env"), "utf8")).toContain("GATEWAY_URL=http://127.0.0.1:1");
});
