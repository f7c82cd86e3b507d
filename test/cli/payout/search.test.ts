import { beforeAll, expect, test } from "vitest";
import { ingestFile, openTestLedger } from "../../support/ledger.ts";
import {
  fileText,
  rowsOf,
  runHere,
  scratch,
  withoutGateway,
} from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const ACCOUNT = "50100000007700";
let url: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const { ledger, close, ...open } = await openTestLedger();
  ({ url } = open);
  const rows = rowsOf(10, (index) => ({
    name: index === 3 ? "Wendy Moss" : "Arun Kumar",
    code: `FIND-${index}`,
    account: index === 2 ? ACCOUNT : `5010000001${1000 + index}`,
  }));
  await ingestFile(ledger, fileText(rows));
  await close();
  env = withoutGateway(url, scratch());
});

const search = async (...words: readonly string[]) => runHere(["payout", "search", ...words], env);

test("lists what the text finds, and says how many more there are", async () => {
  const { code, stdout } = await search("arun");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^8 of 9 payouts\n/);
  expect(stdout).toMatch(/FIND-9 +INR [\d.]+ +awaiting_approval +Arun Kumar +••1009/);
  expect(stdout).not.toContain("Wendy");
});

test("prints the document of the API as JSON, and records a search by account", async () => {
  const { stdout } = await search(ACCOUNT, "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    payouts: [{ code: "FIND-2", account_last4: "7700" }],
    payouts_count: 1,
    batches_count: 0,
    exact: null,
  });
  const log = await query(url, "select facts from payrun.audit where action = 'search_account'");
  expect(log).toHaveLength(1);
  expect(JSON.stringify(log)).not.toContain(ACCOUNT);
});

test("says on stderr that nothing matches", async () => {
  const { code, stdout, stderr } = await search("nobody at all");
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("No payouts, batches or deposits match.");
});
