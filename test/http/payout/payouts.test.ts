import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import type { Batch } from "#ledger/ledger.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { claimOf, ingestFile } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,transaction_code,reference";
const ROWS = [
  "U1,INR,1200.00,Anna Rao,50100012340001,HDFC0000001,HDFC,HDFC Bank,OWN-1,March salary",
  "U2,INR,1200.00,Ánna Gómez,50100012340002,ICIC0000001,ICIC,ICICI Bank,OWN-2,",
  "U3,INR,99.50,Bala Kumar Rao,50100099990001,HDFC0000001,HDFC,HDFC Bank,OWN_3,To 50100099990001",
  "U4,INR,12000.00,Chitra Iyer,50100077770003,HDFC0000001,HDFC,HDFC Bank,OWN-4,",
];

let server: TestServer;
let batch: Batch;
beforeAll(async () => {
  server = await startTestServer();
  const { ledger, databaseUrl } = server.deps;
  await query(databaseUrl, "insert into settings values ('approval people', '1')");
  ({ batch } = await ingestFile(ledger, [HEADER, ...ROWS, ""].join("\n")));
  const order = { actor: "checker", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
  await approve(batch.id, order, { ledger });
  await ledger.integrity.verify();
  // One is sent and refused, one is in doubt, two wait.
  const [refused, doubted] = await ledger.payout.openAttempts(claimOf(batch.id, { sizeMax: 2 }));
  const facts = { code: "121" };
  const moves = [
    { attempt: refused, event: "decline", reason: "refused: bank not found" },
    { attempt: doubted, event: "doubt", reason: "no_answer: timeout" },
  ] as const;
  for (const { attempt, event, reason } of moves) {
    const payoutId = attempt?.payoutId ?? 0;
    const seq = attempt?.seq ?? 0;
    const evidence = { kind: "answer", attempt: 1, facts } as const;
    const gatewayNumber = event === "decline" ? "GW-77" : null;
    const move = { payoutId, seq, event, reason, evidence, gatewayNumber } as const;
    await ledger.payout.move({ ...move, from: "submitting", dueInMs: 0, actor: "w" });
  }
});
afterAll(() => server.close());

const codes = async (search: string, sort = "oldest"): Promise<string[]> => {
  const { status, json } = await server.as("viewer").get(`/api/payouts?sort=${sort}&${search}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json.items.map(({ code }: { code: string }) => code);
};

test("masks a reference that contains the account in the list and on the page", async () => {
  const covered = `${"•".repeat(13)}0001`;
  const { json } = await server.as("viewer").get("/api/payouts?code=OWN_3");
  expect(json.items).toMatchObject([{ reference: covered }]);
  const page = await server.as("viewer").get("/api/payouts/OWN_3");
  expect(page.json.reference).toBe(covered);
  expect(JSON.stringify(page.json)).not.toContain("50100099990001");
});

test("shows for a payout in doubt the last answer and the number of submissions", async () => {
  const { json } = await server.as("viewer").get("/api/payouts?code=OWN-2");
  expect(json.items).toMatchObject([{ last_status_answer: null, attempts: 1 }]);
  const [{ batch_id: batchId }] = json.items;
  const claim = { batchId, lane: claimOf("").lane, sizeMax: 1, leaseMs: 0 };
  const [question] = await server.deps.ledger.payout.claimStatusQueries(claim);
  const { payoutId = 0, seq = 0, queryCount = 0 } = question ?? {};
  const evidence = { kind: "status", attempt: null, facts: { answer: "not_found" } } as const;
  const move = { payoutId, seq, queryCount, event: null, reason: null, evidence } as const;
  await server.deps.ledger.payout.move({
    ...move,
    from: "in_doubt",
    statusAnswer: "not_found",
    dueInMs: 0,
    actor: "w",
  });
  const again = await server.as("viewer").get("/api/payouts?code=OWN-2");
  expect(again.json.items).toMatchObject([
    { last_status_answer: { answer: "not_found", times: 1 } },
  ]);
});

describe("payout filters", () => {
  const NOW = new Date();
  const LATER = new Date(NOW.getTime() + 3_600_000).toISOString();
  const EARLIER = new Date(NOW.getTime() - 3_600_000).toISOString();

  test.each([
    ["a whole code", "code=OWN-2", ["OWN-2"]],
    ["the beginning of a code", "code=OWN-", ["OWN-1", "OWN-2", "OWN-4"]],
    ["a state", "state=in_doubt", ["OWN-2"]],
    ["several states", "state=in_doubt,approved", ["OWN-2", "OWN_3", "OWN-4"]],
    ["the cause", "reason=refused", ["OWN-1"]],
    ["the currency", "currency=inr", ["OWN-1", "OWN-2", "OWN_3", "OWN-4"]],
    ["a currency without payouts", "currency=VND", []],
    ["an amount", "amount=1200", ["OWN-1", "OWN-2"]],
    ["an amount with its decimals", "amount=99.5&currency=INR", ["OWN_3"]],
    ["a range of amounts", "amount_from=99.501&amount_to=1200", ["OWN-1", "OWN-2"]],
    ["a range that also matches minor units, once", "amount_from=1", 4],
    ["the last digits of an account", "account_last4=0001", ["OWN-1", "OWN_3"]],
    ["one part of the name", "name=rao", ["OWN-1", "OWN_3"]],
    ["one part without its accents", "name=anna", ["OWN-1", "OWN-2"]],
    ["several names in any order", "name=Rao%20anna", ["OWN-1"]],
    ["the beginning of a name", "name=ann", ["OWN-1", "OWN-2"]],
    ["beginnings of two names", "name=kum%20bal", ["OWN_3"]],
    ["two letters, which are no beginning", "name=an", []],
    ["letters within a name", "name=nna", []],
    ["the whole part of an amount", "amount=99", ["OWN_3"]],
    ["the beginning of an amount", "amount=120", []],
    ["name and amount", "name=anna&amount=1200.00&state=declined,settled", ["OWN-1"]],
    ["the user ID", "user_id=U2", ["OWN-2"]],
    ["the user ID as search text", "text=U2", ["OWN-2"]],
    ["the beginning of a user ID, which it does not find", "user_id=U", []],
    ["the reference", "reference=march%20SALARY", ["OWN-1"]],
    ["the gateway's number", "gateway_number=GW-77", ["OWN-1"]],
    ["the beginning of the gateway's number", "gateway_number=GW-", ["OWN-1"]],
    ["the bank", "bank=ICIC", ["OWN-2"]],
    ["the upload time", `created_from=${EARLIER}&created_to=${LATER}`, 4],
    ["a later upload time", `created_from=${LATER}`, []],
    ["the submission time", `sent_from=${EARLIER}&sent_to=${LATER}`, ["OWN-1", "OWN-2"]],
    ["the time of the last change", `changed_from=${EARLIER}&changed_to=${LATER}`, 4],
    ["an earlier time of the last change", `changed_to=${EARLIER}`, []],
  ])("%s", async (_, search, expected) => {
    const found = await codes(search);
    expect(typeof expected === "number" ? found.length : found).toEqual(expected);
  });

  test("find a payout by batch and line of the file", async () => {
    expect(await codes(`batch=${batch.id}`)).toHaveLength(4);
    for (const [at, code] of ["OWN-1", "OWN-2", "OWN_3", "OWN-4"].entries()) {
      expect(await codes(`batch=${batch.id}&line=${at + 2}`)).toEqual([code]);
    }
    expect(await codes(`batch=${batch.id}&line=99`)).toEqual([]);
    const { status, json } = await server.as("viewer").get("/api/payouts?line=2");
    expect(status).toBe(400);
    expect(json.places).toEqual([{ place: "query.line", message: expect.any(String) }]);
  });
});

describe("the list", () => {
  test("masks the account except its last digits, and keeps names and numbers out of the tables", async () => {
    const { json } = await server.as("viewer").get("/api/payouts?code=OWN-1");
    expect(json).toMatchObject({ count: 1, next: null });
    expect(json.items[0]).toMatchObject({
      batch_id: batch.id,
      line: 2,
      state: "declined",
      currency: "INR",
      amount: "1200.00",
      beneficiary: "Anna Rao",
      account_last4: "0001",
    });
    const dump = await query(
      server.deps.databaseUrl,
      "select d::text as line from payout_details d union all select t::text from payout_terms t",
    );
    expect(JSON.stringify(dump)).not.toMatch(/anna|50100012340001|march/i);
  });

  test.each(["newest", "oldest", "changed", "largest", "smallest"])(
    "is complete and in order page by page: %s",
    async (sort) => {
      const whole = await server.as("viewer").get(`/api/payouts?sort=${sort}`);
      const paged: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const { json } = await server.as("viewer").get(`/api/payouts?sort=${sort}&limit=1${from}`);
        expect(json.count).toBe(cursor === "" ? 4 : null);
        paged.push(...json.items.map(({ code }: { code: string }) => code));
        cursor = json.next;
      }
      expect(paged).toHaveLength(4);
      expect(paged).toEqual(whole.json.items.map(({ code }: { code: string }) => code));
    },
  );

  test("is sorted by amount, and then by upload", async () => {
    const smallest = ["OWN_3", "OWN-1", "OWN-2", "OWN-4"];
    expect(await codes("", "smallest")).toEqual(smallest);
    expect(await codes("", "largest")).toEqual(smallest.toReversed());
  });

  test.each(["cursor=nonsense", "cursor=WyJhIiwxXQ", "state=paid", "amount=1e9", "colour=red"])(
    "refuses %s",
    async (search) => {
      const { status, json } = await server.as("viewer").get(`/api/payouts?${search}`);
      expect({ status, code: json.code }).toEqual({ status: 400, code: "invalid_request" });
    },
  );
});

describe("an account", () => {
  const sealed = async (account: string): Promise<string> =>
    (await server.as("operator").post("/api/account-filters", { account })).json.account;

  test.each([
    ["in full", "50100012340002", ["OWN-2"]],
    ["that is another's last digits", "12340002", []],
  ])(
    "%s is searched in encrypted form, and never appears in the address",
    async (_what, account, codes) => {
      const filter = await sealed(account);
      expect(Buffer.from(filter, "base64url").toString("latin1")).not.toContain(account.slice(-4));
      const { json } = await server.as("operator").get(`/api/payouts?account=${filter}`);
      expect(json.items.map(({ code }: { code: string }) => code)).toEqual(codes);
    },
  );

  test("is refused in full in an address, as is a modified encrypted value", async () => {
    const filter = await sealed("50100012340002");
    for (const account of ["50100012340002", `${filter.slice(0, -4)}AAAA`, "x"]) {
      const { status, json } = await server.as("operator").get(`/api/payouts?account=${account}`);
      expect([status, json.code]).toEqual([400, "invalid_request"]);
    }
    const asked = await server.as("viewer").get("/api/search?q=50100012340002");
    expect([asked.status, asked.text.includes("50100012340002")]).toEqual([405, false]);
  });
});

describe("the search box", () => {
  const search = async (text: string) =>
    (await server.as("operator").post("/api/search", { q: text })).json;
  const found = async (text: string): Promise<string[]> =>
    (await search(text)).payouts.map(({ code }: { code: string }) => code).sort();

  test.each([
    ["own-1", ["OWN-1"]],
    ["GW-77", ["OWN-1"]],
    ["1200", ["OWN-1", "OWN-2"]],
    ["INR 12,000", ["OWN-4"]],
    ["anna 1200.00", ["OWN-1", "OWN-2"]],
    ["gomez", ["OWN-2"]],
    ["Chi", ["OWN-4"]],
    ["INR 99", ["OWN_3"]],
    ["GW-7", ["OWN-1"]],
    ["50100077770003", ["OWN-4"]],
    ["0003", ["OWN-4"]],
    ["nobody at all", []],
  ])("understands %s", async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  test("opens an exact code, gateway number or batch", async () => {
    expect((await search("own-1")).exact).toEqual({ kind: "payout", id: "OWN-1" });
    expect((await search("GW-77")).exact).toEqual({ kind: "payout", id: "OWN-1" });
    expect((await search(batch.id.toLowerCase())).exact).toEqual({ kind: "batch", id: batch.id });
    expect((await search("OWN-")).exact).toBeNull();
  });

  test("finds a file by part of its name", async () => {
    const unset = { name: null, purpose: null, send: null, needs_duplicate_reason: false };
    const found = { id: batch.id, file_name: "test.csv", state: "approved", rows: 4, ...unset };
    expect((await search("est.CS")).batches).toEqual([found]);
    expect((await search("%")).batches).toEqual([]);
  });
});

describe("the list as a whole", () => {
  test("sums what is found by currency, and counts the other states", async () => {
    const { json } = await server.as("viewer").get("/api/payout-summary?name=rao&state=declined");
    expect(json).toEqual({
      count: 1,
      count_max: 100_000,
      totals: [{ currency: "INR", amount: "1200.00", payouts: 1 }],
      retried: 0,
      blocked: 0,
      states: [
        { state: "approved", payouts: 1 },
        { state: "declined", payouts: 1 },
      ],
    });
  });

  test("returns no count for a search that guesses a masked reference", async () => {
    const guess = "reference=To%2050100099990001";
    const guessed = await server.as("viewer").get(`/api/payout-summary?${guess}`);
    expect(guessed.json).toMatchObject({ count: null, totals: [], states: [] });
    const known = await server.as("operator").get(`/api/payout-summary?${guess}`);
    expect(known.json).toMatchObject({ count: 1 });
    const file = await server.as("viewer").get(`/api/payout-export?${guess}`);
    expect(file.text.trim().split("\n")).toHaveLength(1);
  });

  test("is downloaded with exactly the filtered rows, and the download is on record", async () => {
    const { text } = await server.as("viewer").get("/api/payout-export?amount=1200&sort=oldest");
    const [header, ...lines] = text.replace("\ufeff", "").trim().split("\n");
    expect(header).toMatch(/^transaction_code,state,reason,currency,amount,user_id,beneficiary,/);
    expect(lines.map((line) => line.split(",")[0])).toEqual(["OWN-1", "OWN-2"]);
    expect(text).not.toContain("50100012340001");
    const workbook = await server.as("viewer").get("/api/payout-export?format=xlsx&code=OWN-1");
    expect(workbook.text.slice(0, 2)).toBe("PK");
    const line = await server.deps.database
      .selectFrom("audit")
      .select(["facts"])
      .where("action", "=", "download_payouts")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(line.facts)).toEqual({ format: "xlsx", filters: ["code"] });
  });
});
