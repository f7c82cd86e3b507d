import { expect, test } from "vitest";
import { ENGINES, startSetup } from "../support/journey.ts";
import { KILLS } from "../support/kills/kill-table.ts";
import { summaryLine, walkFaults, walkKills } from "../support/kills/kill-walk.ts";

/** Each queue takes every second step. `npm run bench -- killed` covers every step on both. */
const stepsOf = (engine: (typeof ENGINES)[number]) =>
  KILLS.filter((_, index) => (index >> 1) % ENGINES.length === ENGINES.indexOf(engine));

test.concurrent.each(ENGINES)(
  "F01 F02 F03 F04 F05 F08 survives a worker crash on either side of every step, with the queue in %s",
  async (engine) => {
    const steps = stepsOf(engine);
    const stage = await startSetup(engine, { faults: walkFaults() });
    try {
      const result = await walkKills(stage.env, stage.gateway, steps);
      process.stdout.write(`${summaryLine(result)} (queue on ${engine})\n`);
      expect(result).toEqual({ kills: steps.length, missed: [], confirmedTwice: [], lost: [] });
    } finally {
      await stage.stop();
    }
  },
  420_000,
);
