/** The description of the API: public, cached, and with a quickstart that works. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API } from "#api/api.ts";
import { openApi } from "#http/openapi/openapi.ts";
import { sectionOf } from "#http/openapi/sections.ts";
import { QUICKSTART } from "#http/openapi/quickstart.ts";
import { readApiPage, withQuickstart } from "../../../scripts/openapi.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { fileText, ROOT, rowsOf, scratch } from "../../support/servers/payrun.ts";

let server: TestServer;
let at: string;
beforeAll(async () => {
  server = await startTestServer();
  at = await server.listen();
});
afterAll(() => server.close());

describe("the quickstart", () => {
  test("opens the description, and the errors follow the operations", () => {
    const { info, components } = openApi();
    expect(info.description.startsWith(QUICKSTART)).toBe(true);
    expect(info.description).not.toContain("| Code |");
    expect(components.schemas.Problem.description).toContain("| Code | HTTP status | Meaning |");
  });

  test("is followed by the operations in sections, each with a description", () => {
    const { tags, paths } = openApi();
    const used = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => (operation as { tags: string[] }).tags),
    );
    expect(new Set(used)).toEqual(new Set(tags.map(({ name }) => name)));
    expect(tags[0]?.name).toBe("Batches");
    expect(sectionOf("POST /api/batches/:id/approve")).toBe("Batches");
    expect(sectionOf("GET /api/home")).toBe("Dashboard");
  });

  test("is the same in docs/reference/api.md; npm run openapi updates it", () => {
    const page = readApiPage();
    expect(page).toContain(QUICKSTART);
    expect(withQuickstart(page)).toBe(page);
  });

  test("names only operations that exist", () => {
    const [commands = ""] = QUICKSTART.split("```ts");
    const paths = [...commands.matchAll(/https:\/\/pay\.example(\/[\w/.-]+)/g)].map(
      ([, path = ""]) => path.replace("/ID", "/:id"),
    );
    expect(paths).toHaveLength(4);
    const known = Object.keys(API).map((name) => name.split(" ")[1]);
    expect(paths.filter((path) => !known.includes(path))).toEqual([]);
  });

  test("has a TypeScript program that uploads, requests approval and waits", async () => {
    const uploader = await server.newUser(["uploader"]);
    const program = await server.newKey(["read", "upload"], uploader);
    const [, key = ""] = (program.headers["authorization"] ?? "").split(" ");
    const [, code = ""] = /```ts\n([^]*?)```/.exec(QUICKSTART) ?? [];
    const folder = scratch();
    writeFileSync(join(folder, "payrun.key"), `${key}\n`, { mode: 0o600 });
    writeFileSync(join(folder, "payouts.csv"), fileText(rowsOf(2)));
    const started = code
      .replace("https://pay.example", at)
      .replace("payrun/client", join(ROOT, "client/client.ts"))
      .replace("5_000", "50");
    writeFileSync(join(folder, "pay.mts"), started);

    const run = spawn("sh", [join(ROOT, "scripts/node"), "pay.mts"], { cwd: folder });
    const ended = Promise.all([once(run, "close"), text(run.stdout), text(run.stderr)]);
    await eventually("it awaits approval", async () => {
      const { json } = await server.as("approver").get("/api/approvals");
      return json.items.length === 1;
    });
    const [batch] = (await server.as("operator").get("/api/batches")).json.items;
    const reason = "the end of the test";
    await server.as("operator").post(`/api/batches/${batch.batch_id}/cancel`, { reason });

    const [[exit], printed, errors] = await ended;
    expect([exit, errors]).toEqual([0, ""]);
    const [state = "", ...report] = printed.trim().split(/ (?=\{)|\n/);
    expect(state).toBe("cancelled");
    expect(report.map((line) => JSON.parse(line) as object)).toHaveLength(2);
  });
});

describe("caching", () => {
  const ask = (path: string, known?: string) =>
    server.nobody.get(path, { headers: known === undefined ? {} : { "if-none-match": known } });

  test("shows the description to everybody, once per version", async () => {
    const { status, headers, json } = await ask("/api/openapi.json");
    expect([status, headers["cache-control"]]).toEqual([200, "no-cache"]);
    expect(json).toEqual(JSON.parse(JSON.stringify(openApi())));
    const tag = String(headers.etag);
    expect(tag).toMatch(/^W\/"[\w-]{43}"$/);

    for (const known of [tag, tag.slice(2), `"other", ${tag}`]) {
      const again = await ask("/api/openapi.json", known);
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", tag]);
    }
    expect((await ask("/api/openapi.json", 'W/"other"')).status).toBe(200);
  });

  test("allows no other answer of the API to be stored", async () => {
    const admin = server.as("admin");
    const paths = Object.keys(API).flatMap((name) => {
      const [method, path = ""] = name.split(" ");
      return method === "GET" && path !== "/api/live" ? [path.replaceAll(/:\w+/g, "X1")] : [];
    });
    const stored: string[] = [];
    for (const path of paths) {
      const { headers } = await admin.get(path);
      if (headers["cache-control"] !== "no-store") stored.push(path);
    }
    expect(stored).toEqual(["/api/openapi.json"]);
  });

  test("limits downloads of the description per address", async () => {
    const many = Array.from({ length: 120 }, () => ask("/api/openapi.json"));
    const refused = (await Promise.all(many)).find(({ status }) => status === 429);
    expect(refused?.json.code).toBe("too_many_requests");
    expect(refused?.headers).toMatchObject({ "retry-after": "1", "cache-control": "no-store" });
    expect(refused?.headers).not.toHaveProperty("etag");
  });
});
