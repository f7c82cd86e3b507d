import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { ENGINES, reportOf, startSetup, type Setup } from "../support/journey.ts";
import { documentOf, makeFile, rowsOf, runPayrun } from "../support/servers/payrun.ts";

describe.each(ENGINES)("a clean file, with the queue in %s", (engine) => {
  let setup: Setup;
  beforeAll(async () => {
    setup = await startSetup(engine);
  });
  afterAll(() => setup.stop());

  const pay = (path: string, ...more: readonly string[]) =>
    runPayrun(["pay", path, "--json", ...more], setup.env);

  test("F77 is paid completely and once, and the same file again pays nothing", async () => {
    const rows = rowsOf(40, (index) =>
      index % 4 === 0 ? { currency: "THB", amount: "70.50" } : { amount: `${100 + index}.05` },
    );
    const { path, totals } = makeFile(setup.folder, rows);

    const first = await pay(path, ...totals);
    expect(first.stderr).not.toMatch(/error/i);
    const told = documentOf(first);
    expect(told).toMatchObject({
      state: "finished",
      rows: 40,
      rejected: 0,
      states: { settled: 40 },
    });
    expect(told.sums["THB"]).toEqual({ settled: told.totals["THB"] });
    expect(told.sums["INR"]).toEqual({ settled: told.totals["INR"] });
    expect(first.code).toBe(0);

    const before = await setup.gateway.summary();
    expect(before).toMatchObject({ requests: 40, accepted: 40, settled: 40, paid_twice: [] });
    const book = await setup.gateway.log();
    expect(differences(await reportOf(told.batch_id, setup.env), book)).toEqual(NO_DIFFERENCE);
    // The gateway's sums are reported without trailing zeros.
    expect(Number(before.sums["INR"]?.settled)).toBe(Number(told.totals["INR"]));
    expect(Number(before.sums["THB"]?.settled)).toBe(Number(told.totals["THB"]));

    const again = await pay(path, ...totals);
    expect(again.code).toBe(0);
    expect(documentOf(again)).toMatchObject({ batch_id: told.batch_id, states: { settled: 40 } });
    expect((await setup.gateway.summary()).requests).toBe(40);
  });

  test("F78 is paid once by two concurrent runs of the command", async () => {
    const { path, totals } = makeFile(setup.folder, rowsOf(60));
    const before = await setup.gateway.summary();
    const both = await Promise.all([pay(path, ...totals), pay(path, ...totals)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const ids = new Set(both.map((run) => documentOf(run).batch_id));
    expect(ids.size).toBe(1);
    const after = await setup.gateway.summary();
    expect(after.accepted - before.accepted).toBe(60);
    expect(after.requests - before.requests).toBe(60);
    expect(after.paid_twice).toEqual([]);
  });
});
