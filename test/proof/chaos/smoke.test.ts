import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCampaign } from "../../../proof/chaos/campaign.ts";
import { ENGINES } from "../../../proof/chaos/plan.ts";
import { SIZES } from "../../../proof/chaos/sizes.ts";
import { scratch } from "../../support/servers/payrun.ts";

const { smoke } = SIZES;
const SEED = 3;
const STOP_MS = 90_000;

test.concurrent.for(ENGINES)(
  "F11 F12 F13 F14 F15 F16 F17 F24 F35 F98 F99 survives 25 kills with 500 payouts: none paid twice, none lost, with the queue in %s",
  { timeout: 900_000 },
  async (engine, { signal, onTestFinished }) => {
    const folder = join(scratch(), engine);
    mkdirSync(folder);
    const campaign = runCampaign({ ...smoke, engine, seed: SEED, folder, say: () => {}, signal });
    // A campaign that took too long stops what it started before the process exits.
    onTestFinished(async () => {
      await campaign.catch(() => null);
    }, STOP_MS);
    const { verdict, kills, restSeconds, collapses } = await campaign;
    expect(verdict.violations).toEqual([]);
    expect(restSeconds, "seconds from the last fault to rest").not.toBeNull();
    expect(collapses).toEqual([]);
    expect(kills).toBe(25);
    // A killed PostgreSQL is not an older copy of itself.
    expect(verdict.figures.freezes).toBe(0);
    // The difficult part occurred: ambiguous answers.
    const { requests, ambiguous } = verdict.figures.gateway;
    expect(ambiguous / requests).toBeGreaterThan(0.15);
    process.stdout.write(
      `500 payouts, 25 kills, queue on ${engine}: at rest ${restSeconds?.toFixed(1)} s after the last fault\n`,
    );
  },
);
