import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,transaction_code,reference";
const ACCOUNT = "50100012345678";
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const maker = await server.newUser(["uploader"], "Mira Maker");
  const row = `U-1,INR,10.00,Asha Verma,${ACCOUNT},HDFC0000001,HDFC,HDFC Bank,FOUND-1,${ACCOUNT}`;
  const file = `${HEADER}\n${row}\n`;
  await maker.post("/api/batches?file_name=pay.csv", file);
});
afterAll(() => server.close());

const codesOf = (json: { items?: { code: string }[]; payouts?: { code: string }[] }) =>
  (json.items ?? json.payouts ?? []).map(({ code }) => code);
const searchesOnTheLog = async () => {
  const { json } = await server.as("auditor").get("/api/audit?action=search_account");
  return json.items.map(({ actor, facts }: { actor: string; facts: object }) => ({ actor, facts }));
};

test("gives a viewer no payout by account number, and explains why", async () => {
  const { status, json } = await server.as("viewer").post("/api/search", { q: ACCOUNT });
  expect([status, codesOf(json), json.accounts_left_out]).toEqual([200, [], true]);
});

test("lets a viewer encrypt no account, and list nothing by one that another user encrypted", async () => {
  const viewer = server.as("viewer");
  const sealed = await viewer.post("/api/account-filters", { account: ACCOUNT });
  expect([sealed.status, sealed.json.code]).toEqual([403, "forbidden"]);
  const { json } = await server.as("operator").post("/api/account-filters", { account: ACCOUNT });
  const path = `/api/payouts?account=${json.account}`;
  const listed = await viewer.get(path);
  expect([listed.status, listed.json.code]).toEqual([403, "forbidden"]);
  expect(listed.json.detail).toContain("account_last4");
  expect(codesOf((await server.as("operator").get(path)).json)).toEqual(["FOUND-1"]);
});

test("gives a viewer nothing by a reference that is masked because it contains the account", async () => {
  const path = `/api/payouts?reference=${ACCOUNT}`;
  expect((await server.as("viewer").get(path)).json).toMatchObject({
    items: [],
    count: 0,
    next: null,
  });
  expect(codesOf((await server.as("operator").get(path)).json)).toEqual(["FOUND-1"]);
});

test("finds payouts by the last four digits, which the list shows, for everybody", async () => {
  const { json } = await server.as("viewer").get(`/api/payouts?account_last4=${ACCOUNT.slice(-4)}`);
  expect(codesOf(json)).toEqual(["FOUND-1"]);
});

test("records each search by account on the audit log, with the account masked", async () => {
  const operator = server.as("operator");
  const before = (await searchesOnTheLog()).length;
  expect(codesOf((await operator.post("/api/search", { q: ACCOUNT })).json)).toEqual(["FOUND-1"]);
  const lines = await searchesOnTheLog();
  expect(lines).toHaveLength(before + 1);
  expect(lines[0]).toMatchObject({
    actor: `user:${operator.userId}`,
    facts: { account: "••••••••••5678", refused: false },
  });
  // A search by transaction code is not a search by account.
  await operator.post("/api/search", { q: "FOUND-1" });
  expect(await searchesOnTheLog()).toHaveLength(before + 1);
});

test("gives a key without the scope reveal nothing by account", async () => {
  const key = await server.newKey(["read"]);
  expect(codesOf((await key.post("/api/search", { q: ACCOUNT })).json)).toEqual([]);
  expect((await key.post("/api/account-filters", { account: ACCOUNT })).status).toBe(403);
});

test("stops a user who tries one number after another, and no other user", async () => {
  const auditor = server.as("auditor");
  const statuses: number[] = [];
  for (let at = 0; at < 40; at++) {
    const account = `501000123${String(at).padStart(5, "0")}`;
    statuses.push((await auditor.post("/api/search", { q: account })).status);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  const last = await auditor.post("/api/account-filters", { account: ACCOUNT });
  expect([last.status, last.json.code]).toEqual([429, "too_many_searches"]);
  expect((await server.as("approver").post("/api/search", { q: ACCOUNT })).status).toBe(200);
});
