/** Proposed results of many payouts on the command line, of a ledger with and without approvers. */
import { beforeAll, expect, test } from "vitest";
import { listOnStatement } from "../../support/actions/payout-action-deeds.ts";
import { approvedBatch, openTestLedger } from "../../support/ledger.ts";
import { rowsOf, runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

let url: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const open = await openTestLedger();
  url = open.url;
  const codes = ["LISTED-0", "LISTED-1"];
  await approvedBatch(
    open.ledger,
    rowsOf(2, (index) => ({ code: codes[index] ?? "" })),
  );
  await open.close();
  await force(url, "update payouts set state = 'on_hold', reason = 'resend_window_over'");
  for (const code of codes) {
    await listOnStatement({ server: { deps: { databaseUrl: url } } } as never, code, "completed");
  }
  await force(
    url,
    `insert into users (id, email, name, roles, password)
      values ('US1', 'asha@payer.example', 'Asha', '{approver}', 'x')`,
  );
  env = withoutGateway(url, scratch());
});

const payout = (...words: readonly string[]) => runHere(["payout", ...words], env);
const BECAUSE = ["--reason", "statement of 26 November"];
const propose = async (): Promise<string> => {
  const made = await payout("resolve-listed", "--state", "on_hold", ...BECAUSE, "--yes", "--json");
  const action = JSON.parse(made.stdout);
  expect(action).toMatchObject({ state: "proposed", changed: { count: 2 } });
  return action.id;
};
const auditOf = async (id: string) =>
  (await query(url, `select action from payrun.audit where object = '${id}' order by seq`)).map(
    ({ action }) => action,
  );

test("lists a proposal, and rejects it with a reason", async () => {
  expect((await payout("proposals")).stdout).toBe("no proposals\n");
  const id = await propose();
  expect((await payout("proposals")).stdout).toMatch(
    new RegExp(`${id} +\\S+.* 2 +INR 200\\.00 +statement of 26 November`),
  );
  const rejected = await payout("reject-proposal", id, "--reason", "another account");
  expect(rejected).toMatchObject({
    code: 0,
    stdout: `Rejected ${id}. No payouts were changed.\n`,
  });
  expect(await auditOf(id)).toEqual(["propose_payout_action", "refuse_payout_action"]);
  expect(await payout("confirm-proposal", id)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("The proposal was already decided. No payouts were changed."),
  });
  expect(await payout("confirm-proposal", "PA0")).toMatchObject({ code: 4 });
});

test("leaves the confirmation to an approver, who must sign in", async () => {
  const id = await propose();
  expect(await payout("confirm-proposal", id)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("An approver must confirm the proposal on the dashboard."),
  });
  expect((await payout("show", "LISTED-0")).stdout).toContain("on_hold");

  // The last approver has left.
  await force(url, "update users set disabled_at = now()");
  expect(await payout("confirm-proposal", id)).toMatchObject({
    code: 0,
    stdout: `Resolved payouts: 2. Action ${id}.\n`,
  });
  expect(await auditOf(id)).toEqual(["propose_payout_action", "confirm_payout_action"]);
  expect((await payout("show", "LISTED-0")).stdout).toContain("resolved");
});

test.each(["confirm-proposal", "reject-proposal"])("%s is refused for a server", async (name) => {
  const reason = name === "reject-proposal" ? BECAUSE : [];
  const there = { ...env, PAYRUN_SERVER: "http://127.0.0.1:1", PAYRUN_API_KEY_FILE: "key" };
  expect(await runHere(["payout", name, "PA0", ...reason], there)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("An approver must decide about the proposal on the dashboard."),
  });
});
