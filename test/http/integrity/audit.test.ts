import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { query } from "../../support/servers/postgres.ts";

let server: TestServer;
const LINES = 130;
beforeAll(async () => {
  server = await startTestServer();
  const operator = await server.newUser(["operator"], "Nora Night");
  await server.deps.database.transaction().execute(async (transaction) => {
    for (let line = 1; line <= LINES; line += 1) {
      const isHers = line % 10 === 0;
      await appendAudit(transaction, new Date(Date.UTC(2026, 0, 1, 0, line)), {
        actor: isHers ? `user:${operator.userId}` : "cli:ops",
        action: isHers ? "pause_lane" : "approve",
        object: isHers ? "M/INR" : `B${line}`,
        facts: { reason: line === 50 ? "=HYPERLINK(1)" : "because", before: { state: "open" } },
      });
    }
  });
});
afterAll(() => server.close());

const get = (path: string) => server.as("auditor").get(path);
const numbers = async (path: string) =>
  (await get(path)).json.items.map(({ number }: { number: number }) => number);

describe("the audit log", () => {
  test("is read page by page, newest first, without gaps", async () => {
    const seen: number[] = [];
    let next: string | null = "";
    while (next !== null) {
      const { json } = await get(`/api/audit?limit=50${next && `&cursor=${next}`}`);
      seen.push(...json.items.map(({ number }: { number: number }) => number));
      next = json.next;
    }
    expect(seen).toEqual(Array.from({ length: LINES }, (_, at) => LINES - at));
    const wrong = (await get("/api/audit?cursor=zzz")).json.places;
    expect(wrong).toEqual([{ place: "query.cursor", message: "must be a cursor for this list" }]);
  });

  test("names the person and keeps the facts unchanged", async () => {
    const { json } = await get("/api/audit?action=pause_lane&limit=1");
    expect(json.items).toMatchObject([
      {
        number: 130,
        actor_name: "Nora Night",
        object: "M/INR",
        facts: { reason: "because", before: { state: "open" } },
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test.each([
    ["actor=nora", 13],
    ["actor=cli:ops", 117],
    ["object=B7", 1],
    ["action=pause_lane&object=M%2FINR", 13],
    ["from=2026-01-01T00:10:00Z&to=2026-01-01T00:20:00Z", 10],
    ["actor=nobody", 0],
    ["object=%27%20or%201=1", 0],
  ])("finds %s", async (filter, count) => {
    expect(await numbers(`/api/audit?limit=200&${filter}`)).toHaveLength(count);
  });

  test("lists its actions", async () => {
    expect((await get("/api/audit/actions")).json).toEqual({ actions: ["approve", "pause_lane"] });
  });

  test("is exported, oldest first, without runnable formulas", async () => {
    const { text, headers } = await get("/api/audit-export?actor=nora");
    expect(headers["content-type"]).toContain("text/csv");
    const rows = parse<Record<string, string>>(text, { bom: true, columns: true });
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: 13 }, (_, at) => `${(at + 1) * 10}`),
    );
    expect(rows[0]).toMatchObject({ actor_name: "Nora Night", action: "pause_lane" });
    expect((await get("/api/audit-export")).text.trim().split("\n")).toHaveLength(LINES + 1);
    expect((await get("/api/audit-export?format=xlsx")).text.slice(0, 2)).toBe("PK");
  });

  test("is readable only by auditors", async () => {
    for (const path of [
      "/api/audit",
      "/api/audit-export",
      "/api/audit/verify",
      "/api/audit/actions",
    ]) {
      expect((await server.as("operator").get(path)).status).toBe(403);
      expect((await server.as("admin").get(path)).status).toBe(200);
    }
  });

  test("is verified to its last line, and reports where it is broken", async () => {
    const whole = (await get("/api/audit/verify")).json;
    expect(whole).toMatchObject({ intact: true, lines: LINES, broken_at: null });
    expect(whole.latest_hash).toBe((await get("/api/audit?limit=1")).json.items[0].hash);
    const kept = `${whole.lines}:${whole.latest_hash}`;
    expect((await get(`/api/audit/verify?checkpoint=${kept}`)).json.intact).toBe(true);
    expect((await get(`/api/audit/verify?checkpoint=7:${"0".repeat(64)}`)).json.broken_at).toBe(7);
    await query(
      server.deps.databaseUrl,
      "alter table audit disable trigger append_only; update audit set actor = 'x' where seq = 77",
    );
    const broken = (await get("/api/audit/verify")).json;
    expect(broken).toMatchObject({ intact: false, lines: 76, broken_at: 77 });
  });
});
