import { expect, test } from "vitest";
import { dispatch } from "#flows/payout/dispatch.ts";
import { flowDeps, scriptedGateway } from "../../support/flow.ts";
import { approvedBatch, openTestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

test("does not query a batch again when everything is sent and no query is due", async () => {
  const { url, ledger, close } = await openTestLedger();
  try {
    await approvedBatch(ledger, rowsOf(2));
    await query(url, "update payouts set state = 'accepted', due_at = now() + interval '1 hour'");
    const asked: string[] = [];
    const payout = new Proxy(ledger.payout, {
      get(target, name) {
        asked.push(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
    const { deps } = flowDeps({ ...ledger, payout }, scriptedGateway());
    await dispatch(deps);
    expect(asked).toContain("workingBatches");
    expect(asked).not.toContain("dueWork");
    expect(asked).not.toContain("expireLeases");
    await query(url, "update payouts set due_at = now() where line = 3");
    await dispatch(deps);
    expect(asked).toContain("expireLeases");
    expect(asked).toContain("dueWork");
  } finally {
    await close();
  }
});

test("queues the work of many batches together, and one failing batch does not delay the others", async () => {
  const { ledger, close } = await openTestLedger();
  try {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push((await approvedBatch(ledger, rowsOf(2))).id);
    }
    const [broken = "", ...others] = ids;
    const watched = {
      ...ledger,
      payout: {
        ...ledger.payout,
        dueWork: async (...[id, ...rest]: Parameters<typeof ledger.payout.dueWork>) => {
          if (id === broken) throw new Error("broke");
          return ledger.payout.dueWork(id, ...rest);
        },
      },
    };
    const { deps } = flowDeps(watched, scriptedGateway());
    const calls: string[][] = [];
    const add = async (_job: unknown, jobs: readonly unknown[]) => {
      calls.push(jobs.map((job) => (job as { batchId: string }).batchId));
    };
    await expect(dispatch({ ...deps, hints: { add } })).rejects.toThrow("broke");
    expect(calls).toEqual([others]);
  } finally {
    await close();
  }
});
