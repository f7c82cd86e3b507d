/** Three servers with workers on one ledger, behind a balancer without sticky sessions. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashPassword } from "#flows/people/password-hash.ts";
import { insertChannel } from "#ledger/notification/channels.ts";
import { insertUser, setPassword } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { startSetup, type Setup } from "../../support/journey.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { eventually } from "../../support/servers/eventually.ts";
import {
  fileText,
  rowsOf,
  type Running,
  scratch,
  startPayrun,
} from "../../support/servers/payrun.ts";
import { freePort } from "../../support/servers/ports.ts";
import { type Balancer, startBalancer } from "../../support/several-servers/round-robin.ts";
import { type Answered, Session } from "../../support/several-servers/session.ts";

const SERVERS = 3;
const PASSWORD = "a walrus in the rain";

let setup: Setup;
let balancer: Balancer;
let ledger: TestLedger;
let servers: readonly { readonly url: string; readonly running: Running }[];
const heard: string[] = [];
const receiver = createServer((request, response) => {
  const keep = async () => {
    heard.push(await text(request));
    response.end();
  };
  void keep();
});

beforeAll(async () => {
  receiver.listen(0, "127.0.0.1");
  [setup, balancer] = await Promise.all([
    startSetup("redis"),
    startBalancer(),
    once(receiver, "listening"),
  ]);
  ledger = await openTestLedger(setup.env["DATABASE_URL"]);
  await ledger.database.deleteFrom("second_factor_roles").execute();
  const env = {
    ...setup.env,
    PUBLIC_URL: balancer.url,
    TRUSTED_PROXIES: "127.0.0.1",
    WEBHOOK_ALLOW_PRIVATE: "yes",
    SUBMIT_CONCURRENCY: "4",
  };
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort));
  servers = ports.map((port) => ({
    url: `http://127.0.0.1:${port}`,
    // As on machines of their own.
    running: startPayrun(["serve"], { ...env, PORT: String(port), PAYRUN_DATA: scratch() }),
  }));
  await Promise.all(servers.map(({ running }) => running.says(/workers are running/)));
  balancer.use(ports);
}, 180_000);
afterAll(async () => {
  await Promise.all(servers.map(({ running }) => running.end("SIGTERM")));
  await ledger.close();
  await balancer.close();
  receiver.close();
  await setup.stop();
}, 60_000);

let people = 0;
/** A user who can sign in with PASSWORD. */
async function joined(roles: readonly Role[]): Promise<string> {
  people += 1;
  const email = `person-${people}@people.example`;
  const at = new Date();
  const id = await insertUser(ledger.database, { email, name: `Person ${people}`, roles, at });
  await setPassword(ledger.database, id, await hashPassword(PASSWORD));
  return email;
}

async function signedIn(roles: readonly Role[]): Promise<Session> {
  const session = new Session(balancer.url);
  const { status } = await session.post("/api/session", {
    email: await joined(roles),
    password: PASSWORD,
  });
  expect(status).toBe(200);
  return session;
}

const onEach = (ask: (url: string) => Promise<Answered>): Promise<Answered[]> =>
  Promise.all(servers.map(({ url }) => ask(url)));

test("keeps a session on every server, and ends it on every server", async () => {
  const session = await signedIn(["viewer"]);
  const known = await onEach((url) => session.get("/api/session", url));
  expect(known.map(({ json }) => json.person?.email)).toEqual(
    Array(SERVERS).fill("person-1@people.example"),
  );
  const copy = new Session(balancer.url);
  const { headers } = session;
  expect((await session.send("DELETE", "/api/session")).status).toBeLessThan(300);
  const after = await onEach((url) => copy.send("GET", "/api/batches", { headers, url }));
  expect(after.map(({ status }) => status)).toEqual(Array(SERVERS).fill(401));
});

test("counts failed sign-ins of one account on all servers together", async () => {
  const email = await joined(["viewer"]);
  const stranger = new Session(balancer.url);
  const codes: string[] = [];
  // Four are free. Each server alone would let twelve pass. A slow attempt may outlast its wait,
  // which doubles each time.
  for (let tries = 0; tries < 11 && codes.at(-1) !== "too_many_attempts"; tries += 1) {
    const { json } = await stranger.post("/api/session", {
      email,
      password: `wrong ${tries} and long`,
    });
    codes.push(json.code);
  }
  expect(codes.at(-1)).toBe("too_many_attempts");
  const refused = await onEach((url) =>
    stranger.send("POST", "/api/session", { url, body: { email, password: PASSWORD } }),
  );
  expect(refused.map(({ json }) => json.code)).toContain("too_many_attempts");
});

test("uploads, corrects, approves, sends, shows live and notifies once, each request at another server", async () => {
  await ledger.database.transaction().execute((transaction) =>
    insertChannel(transaction, ledger.sealer, {
      id: "CH1",
      name: "on call",
      kind: "webhook",
      target: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      events: ["batch_finished"],
      secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
      actor: "user:US1",
      at: new Date(),
    }),
  );
  const uploader = await signedIn(["uploader"]);
  const approver = await signedIn(["approver"]);
  const file = fileText(rowsOf(6, (index) => (index === 2 ? { ifsc: "WRONG" } : {})));
  const uploaded = await uploader.post("/api/batches?file_name=wages.csv", file);
  expect(uploaded.json).toMatchObject({ is_new: true, batch: { state: "needs_correction" } });
  const { batch_id: id } = uploaded.json.batch;
  const rows = await uploader.get(`/api/batches/${id}/rows`);
  const [{ line }] = rows.json.items;
  const corrected = await uploader.post(`/api/batches/${id}/rows/correct`, {
    rows: [{ line, values: { ifsc_code: "HDFC0000001" } }],
  });
  expect(corrected.json).toMatchObject({ corrected: 1 });
  const { json: sent } = await uploader.post(`/api/batches/${id}/request-approval`);
  expect(sent.batch.state).toBe("awaiting_approval");

  const states: string[] = [];
  const stop = await watch(approver, id, servers[0]?.url ?? "", states);
  await eventually("the live stream begins", () => states.length > 0);
  await approver.post("/api/session/step-up", { password: PASSWORD });
  const { json: sheet } = await approver.get(`/api/batches/${id}/approval`);

  const approved = await approver.send("POST", `/api/batches/${id}/approve`, {
    url: servers[1]?.url ?? "",
    body: {
      content_digest: sheet.content_digest,
      totals: [{ currency: "INR", amount: "600.00" }],
      acknowledged: sheet.anomalies.to_acknowledge.map(
        ({ finding, rows: count }: { finding: string; rows: number }) => ({ finding, rows: count }),
      ),
    },
  });
  expect(approved.json).toMatchObject({ state: "approved", missing: 0 });
  await eventually("another server shows the end live", () => states.at(-1) === "finished");
  stop();
  expect((await setup.gateway.summary()).accepted).toBe(6);
  await eventually("the notification arrives", () => heard.length > 0);
  // Every server looks again for what to send within five seconds.
  await new Promise((wake) => setTimeout(wake, 11_000));
  expect(heard).toHaveLength(1);
  expect(
    Math.min(...servers.map(({ url }) => balancer.served.get(Number(new URL(url).port)) ?? 0)),
  ).toBeGreaterThan(1);
}, 120_000);

/** Adds the state of the batch to a list whenever a server shows another one. */
async function watch(
  { headers }: Session,
  id: string,
  url: string,
  states: string[],
): Promise<() => void> {
  const stop = new AbortController();
  const { signal } = stop;
  const response = await fetch(`${url}/api/live?topics=batch:${id}`, { headers, signal });
  expect(response.status).toBe(200);
  const read = async () => {
    let seen = "";
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      seen += piece;
      const blocks = seen.split("\n\n");
      seen = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, json] = /^data: (.+)$/m.exec(block) ?? [];
        if (json) states.push(JSON.parse(json).state);
      }
    }
  };
  read().catch(() => {});
  return () => stop.abort();
}

test("creates once for an idempotency key, also when three servers get it at the same time", async () => {
  const uploader = await signedIn(["uploader"]);
  const headers = { "idempotency-key": "payroll-of-november" };
  const body = fileText(rowsOf(5));
  const path = "/api/batches?file_name=november.csv";
  const create = (url: string) => uploader.send("POST", path, { url, body, headers });
  const together = await onEach(create);
  const created = together.filter(
    ({ status, headers: own }) => status < 300 && !own.has("idempotency-replayed"),
  );
  expect(created).toHaveLength(1);
  const refused = together.filter(({ status }) => status >= 300).map(({ json }) => json.code);
  expect(new Set([...refused, "request_in_progress"]).size).toBe(1);
  const again = await onEach(create);
  for (const { headers: own, json } of again) {
    expect(own.get("idempotency-replayed")).toBe("true");
    expect(json).toEqual(created[0]?.json);
    expect(json.is_new).toBe(true);
  }
  const other = await uploader.send("POST", path, { body: fileText(rowsOf(5)), headers });
  expect(other.json.code).toBe("idempotency_key_reused");
});

test("returns the same metrics of the whole ledger from each server", async () => {
  const operator = await signedIn(["operator"]);
  const told = async (name: string) => {
    const metrics = await onEach((url) => operator.get("/api/metrics", url));
    return metrics.map(({ json }) => new RegExp(`^${name} (.+)$`, "m").exec(String(json))?.[1]);
  };
  const fromEach = (value: number) => Array(SERVERS).fill(String(value));
  await expect.poll(() => told("payrun_workers"), { timeout: 30_000 }).toEqual(fromEach(SERVERS));
  expect(await told("payrun_submit_slots")).toEqual(fromEach(4 * SERVERS));
});
