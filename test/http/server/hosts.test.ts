/**
 * The host names that this server answers for, and what another site of the same domain can cause.
 */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API } from "#api/api.ts";
import { systemClock } from "#base/clock.ts";
import { ROLE_NAMES } from "#people/roles.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { sendForApproval, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { peopleOf } from "../../support/actions/people.ts";

let server: TestServer;
let everybody: Caller;
let port: number;
beforeAll(async () => {
  server = await startTestServer();
  everybody = await server.newUser(ROLE_NAMES);
  port = Number(new URL(await server.listen()).port);
});
afterAll(() => server.close());

describe("the Host header", () => {
  test.each([
    "localhost",
    "127.0.0.1:3000",
    "[::1]:3000",
    "10.1.2.3",
    "dev.localhost:5173",
    "LOCALHOST.",
  ])("is accepted: %s", async (host) => {
    const { status } = await everybody.get("/api/session", { headers: { host } });
    expect(status).toBe(200);
  });

  const FOREIGN = ["evil.example", "127.0.0.1.evil.example:3000", "localhost.evil.example", "x"];
  test.each(FOREIGN)("is refused: %s", async (host) => {
    const asked = { headers: { host, origin: `http://${host}` } };
    const credentials = { email: "a@example.test", password: "b" };
    const answers = await Promise.all([
      everybody.get("/api/session", asked),
      everybody.get("/api/batches", asked),
      server.nobody.post("/api/session", credentials, asked),
      server.nobody.post("/api/links/inspect", { token: "x" }, asked),
      server.nobody.get("/", asked),
      server.nobody.get("/pay/x", asked),
    ]);
    expect(answers.map(({ status, json }) => [status, json?.code])).toEqual(
      answers.map(() => [421, "unknown_host"]),
    );
  });

  test("may be any name for a program with its key, which no web page has", async () => {
    const headers = { host: "payrun:3000" };
    const key = await server.newKey(["read"]);
    expect((await key.get("/api/batches", { headers })).status).toBe(200);
    const wrong = { headers: { ...headers, authorization: "Bearer pk_nothing" } };
    const signIn = { email: "a@example.test", password: "b" };
    expect((await server.nobody.post("/api/session", signIn, wrong)).status).toBe(421);
  });

  test("may be any name for health checks and callbacks", async () => {
    const headers = { host: "payrun:3000" };
    expect((await server.nobody.get("/healthz", { headers })).status).toBe(200);
    expect((await server.nobody.post("/callbacks/M1", {}, { headers })).text).toBe("success");
  });

  test("is accepted when configured", async () => {
    const { config } = server.deps;
    const other = await startTestServer(
      {
        config: {
          ...config,
          HOST: "payrun.lan",
          PUBLIC_URL: "http://pay.example/x",
          ALLOWED_HOSTS: "spare.internal,Proxy.internal",
        },
      },
      ["viewer"],
    );
    const statusAt = async (host: string) =>
      (await other.as("viewer").get("/api/batches", { headers: { host } })).status;
    const own = [
      "pay.example",
      "pay.example:8443",
      "PAY.example.",
      "payrun.lan:3000",
      "proxy.internal",
    ];
    expect(await Promise.all(own.map(statusAt))).toEqual(own.map(() => 200));
    expect(await statusAt("www.pay.example")).toBe(421);
    await other.close();
  });

  test.each(["host: evil.example", "Authorization: Bearer a\r\nauthorization: Bearer b"])(
    "must appear once, as must the identity of the caller: %j",
    async (more) => {
      const answer = await new Promise<string>((resolve) => {
        let text = "";
        const lines = ["GET /healthz HTTP/1.1", "host: 127.0.0.1", more, "connection: close"];
        const socket = connect(port, "127.0.0.1", () =>
          socket.write(`${lines.join("\r\n")}\r\n\r\n`),
        );
        socket.on("data", (data) => (text += data)).once("close", () => resolve(text));
      });
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain("more than one");
    },
  );
});

describe("another site of the same domain", () => {
  const SITES = ["same-site", "cross-site"];

  test.each(SITES)("sends no request with a person's session: %s", async (site) => {
    const looks = Object.keys(API).filter((name) => name.startsWith("GET "));
    const codes = new Set<string>();
    for (const name of looks) {
      const url = name.slice("GET ".length).replaceAll(/:\w+/g, "X1");
      const { json } = await everybody.get(url, { headers: { "sec-fetch-site": site } });
      codes.add(json.code);
    }
    expect([...codes]).toEqual(["cross_site_request"]);
    expect(looks.length).toBeGreaterThan(30);
  });

  test("causes no audit line through a link to a file", async () => {
    const { ledger, database } = server.deps;
    const { batch } = await ingestFile(ledger, fileText(rowsOf(1)), `user:${everybody.userId}`);
    const lines = async () =>
      (
        await database
          .selectFrom("audit")
          .select("action")
          .where("object", "in", [batch.id, "payouts"])
          .where("action", "like", "download%")
          .execute()
      ).length;
    const files = ["report", "rejects", "copy"].map((file) => `/api/batches/${batch.id}/${file}`);
    for (const path of [...files, "/api/failures/file"]) {
      for (const site of SITES) {
        const headers = { "sec-fetch-site": site, "sec-fetch-mode": "navigate" };
        expect((await everybody.get(path, { headers })).status).toBe(403);
      }
    }
    expect(await lines()).toBe(0);
    for (const site of ["same-origin", "none"]) {
      const headers = { "sec-fetch-site": site };
      expect((await everybody.get(`${files[0]}`, { headers })).status).toBe(200);
    }
    expect(await lines()).toBe(2);
  });
});

test("names the total of each currency in an approval once", async () => {
  const { ledger, database } = server.deps;
  const maker = await server.newUser(["uploader"]);
  const checker = await server.newUser(["approver"]);
  await peopleOf(() => server, systemClock).steppedUp(checker);
  const { batch } = await ingestFile(ledger, fileText(rowsOf(3)), `user:${maker.userId}`);
  await sendForApproval(database, batch);
  const approve = (amounts: readonly string[]) =>
    approveAt(checker, `/api/batches/${batch.id}`, {
      content_digest: batch.contentDigest,
      totals: amounts.map((amount) => ({ currency: "INR", amount })),
    });
  const { status, json } = await approve(["1.00", "300.00"]);
  expect([status, json.places]).toEqual([
    400,
    [{ place: "body.totals", message: "a currency appears twice" }],
  ]);
  expect((await approve(["300.00"])).status).toBe(200);
});
