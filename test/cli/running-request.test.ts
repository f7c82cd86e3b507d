/** A request that a killed server left behind, repeated by the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { KEY_SCOPES } from "#people/roles.ts";
import { workingKey } from "../support/dashboard/server.ts";
import { startSetup } from "../support/journey.ts";
import { openTestLedger } from "../support/ledger.ts";
import { makeFile, rowsOf, runHere, startPayrun } from "../support/servers/payrun.ts";

test("waits for the running request when the command is repeated, and gets an answer within seconds", async () => {
  const stage = await startSetup("postgres");
  const server = startPayrun(["serve"], { ...stage.env, PORT: "0" });
  const [, url = ""] = await server.says(/listening at (http:\S+);/);
  const ledger = await openTestLedger(stage.env["DATABASE_URL"]);
  const world = { database: ledger.database, clock: systemClock };
  const { token } = await workingKey(world, KEY_SCOPES);
  const keyFile = join(stage.folder, "api.key");
  writeFileSync(keyFile, `${token.reveal()}\n`, { mode: 0o600 });
  const { path } = makeFile(stage.folder, rowsOf(2));
  const words = ["batch", "create", path, "--server", url, "--api-key-file", keyFile];
  expect((await runHere(words)).code).toBe(0);

  await sql`update idempotency set status = null, answer = null, at = now()`.execute(
    ledger.database,
  );
  const startedMs = performance.now();
  const again = await runHere(words);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stderr).toContain("Waiting for its response");
  expect(performance.now() - startedMs).toBeLessThan(60_000);
  await server.end("SIGTERM");
  await ledger.close();
  await stage.stop();
}, 120_000);
