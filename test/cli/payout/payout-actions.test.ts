import { beforeAll, expect, test } from "vitest";
import { approvedBatch, openTestLedger } from "../../support/ledger.ts";
import { rowsOf, runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";

let env: Readonly<Record<string, string>>;
let batch: string;
beforeAll(async () => {
  const { ledger, close, url } = await openTestLedger();
  batch = (
    await approvedBatch(
      ledger,
      rowsOf(4, (index) => ({ code: `BULK-${index}` })),
    )
  ).id;
  await close();
  env = withoutGateway(url, scratch());
});

const payout = (...words: readonly string[]) => runHere(["payout", ...words], env);
const BECAUSE = ["--reason", "the supplier called"];

test("shows the preview and changes nothing without a confirmation", async () => {
  const { code, stdout, stderr } = await payout("hold-back", "--batch", batch, ...BECAUSE);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Selected payouts: 4\. Qualifying: 4\.\n.*INR +4 +400\.00/);
  expect(stderr).toContain(
    "No changes were made. To apply this action, run the same command with --yes.",
  );
  expect((await payout("show", "BULK-2")).stdout).toContain("approved");
});

test("holds back, releases and cancels, and says what was left", async () => {
  const held = await payout("hold-back", "BULK-2", "BULK-3", ...BECAUSE, "--yes");
  expect(held.stdout).toMatch(/Changed payouts: 2\. Action PA/);
  expect((await payout("show", "BULK-2")).stdout).toContain(
    "payrun does not send it until someone releases it",
  );
  const release = ["release", "--batch", batch, ...BECAUSE, "--yes", "--json"];
  expect(JSON.parse((await payout(...release)).stdout)).toMatchObject({
    state: "applied",
    selected: 4,
    changed: { count: 2 },
    not_qualifying: [{ reason: "not_held_back", count: 2 }],
  });
  const cancelled = await payout("cancel", "BULK-2", ...BECAUSE, "--yes");
  expect(cancelled.stdout).toContain("Changed payouts: 1.");
  const again = await payout("cancel", "BULK-2", ...BECAUSE, "--yes");
  expect(again.stdout).toContain("Not changed: 1. The payout is in its final state.");
  expect(again.stderr).toContain("No payouts qualify.");
});

test("refuses a selection that is missing, double or unknown", async () => {
  const none = await payout("cancel", ...BECAUSE);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain("Specify either transaction codes, or at least one of --batch");
  expect((await payout("cancel", "BULK-2", "--batch", batch, ...BECAUSE)).code).toBe(2);
  const unknown = await payout("cancel", "NONE-1", ...BECAUSE);
  expect(unknown.code).toBe(4);
  expect(unknown.stderr).toContain("There is no payout with the code NONE-1.");
});
