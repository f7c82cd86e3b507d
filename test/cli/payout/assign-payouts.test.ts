/** `payrun payout assign`: a preview, and one line on the audit log for all payouts. */
import { beforeAll, expect, test } from "vitest";
import { approvedBatch, openTestLedger } from "../../support/ledger.ts";
import { rowsOf, runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

let url: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const open = await openTestLedger();
  url = open.url;
  await approvedBatch(open.ledger, rowsOf(3));
  await open.close();
  await force(
    url,
    `update payouts set state = 'on_hold', reason = 'resend_window_over' where line < 4;
    insert into users (id, email, name, roles, password)
      values ('US1', 'asha@payer.example', 'Asha Rao', '{operator}', 'x')`,
  );
  env = withoutGateway(url, scratch());
});

const assign = (...words: readonly string[]) => runHere(["payout", "assign", ...words], env);
const assignments = () => query(url, "select assigned_to from payrun.assignments order by object");

test("shows the preview, and assigns to a user only with --yes", async () => {
  const seen = await assign("--state", "on_hold", "--to", "asha rao");
  expect(seen.stdout).toContain("Selected payouts: 2. Qualifying: 2.");
  expect(await assignments()).toEqual([]);
  const done = await assign("--state", "on_hold", "--to", "asha rao", "--yes");
  expect(done.stdout).toContain("Assigned payouts: 2. Action PA");
  expect(await assignments()).toEqual([{ assigned_to: "US1" }, { assigned_to: "US1" }]);
  const lines = await query(
    url,
    "select facts::jsonb ->> 'to' as to from payrun.audit where action = 'apply_payout_action'",
  );
  expect(lines).toEqual([{ to: "user:US1" }]);
});

test("removes assignments, and shows whose they were", async () => {
  await assign("--state", "on_hold", "--to", "US1", "--yes");
  const done = await assign("--state", "on_hold", "--nobody", "--yes");
  expect(done.stdout).toContain("Now assigned to Asha Rao: 2.");
  expect(await assignments()).toEqual([{ assigned_to: null }, { assigned_to: null }]);
});

test("refuses an unknown user, and neither or both of --to and --nobody", async () => {
  const unknown = await assign("--state", "on_hold", "--to", "Ravi");
  expect(unknown).toMatchObject({ code: 4 });
  expect(unknown.stderr).toContain("No user has the ID or name Ravi. Users: US1 (Asha Rao).");
  const both = await assign("--state", "on_hold", "--to", "US1", "--nobody");
  expect(both.stderr).toContain("Specify either --to or --nobody.");
  expect((await assign("--state", "on_hold")).stderr).toContain("Specify either --to or --nobody.");
});
