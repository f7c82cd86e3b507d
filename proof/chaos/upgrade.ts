import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runPayrun } from "../../test/support/servers/payrun.ts";
import type { Releases } from "./previous.ts";
import type { Setup } from "./setup.ts";

/** Milliseconds for which both releases work between two replacements. */
const TOGETHER_MS = 5_000;

/**
 * Migrates the ledger while the previous release works. Killed processes return as this release,
 * and in the end the others are replaced as well.
 */
export async function upgrade(releases: Releases, { env, fleet, texts }: Setup): Promise<void> {
  releases.switch();
  for (let code: number | null = 1; code !== 0; ) {
    const ended = await runPayrun(["migrate"], env);
    appendFileSync(join(texts, "migrate.log"), ended.stdout + ended.stderr);
    code = ended.code;
    await sleep(300);
  }
  for (const member of fleet.members) {
    await sleep(TOGETHER_MS);
    await fleet.strike(member, "SIGTERM");
  }
}
