import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { submitJob } from "#jobs/submit.ts";
import { JobProducer, type QueueEngine } from "#jobs/queue.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { startRedis } from "../../support/servers/redis.ts";

interface BoardRoute {
  readonly method: string;
  readonly route: string | readonly string[];
}
/** The board's own list of its actions. */
const { appRoutes } = createRequire(import.meta.url)("@bull-board/api/dist/routes.js") as {
  appRoutes: { api: readonly BoardRoute[] };
};
const routes = appRoutes.api.map(({ method, route }) => ({
  method: method.toUpperCase(),
  path: `/api/board${String(route)}`.replace(":queueName", submitJob.queue).replace(/:\w+/g, "1"),
}));
const acting = routes.filter(({ method }) => method !== "GET");

describe.each(["postgres", "redis"] as const)("the queue board on %s", (kind) => {
  let server: TestServer;
  let queues: JobProducer;
  let stopRedis = async () => {};
  beforeAll(async () => {
    if (kind === "postgres") {
      server = await startTestServer();
      ({ queues } = server.deps);
      return;
    }
    const redis = await startRedis();
    stopRedis = () => redis.stop();
    const engine: QueueEngine = { kind, url: redis.url };
    queues = new JobProducer(engine, () => {});
    server = await startTestServer({ queues, engine });
  });
  afterAll(async () => {
    await server.close();
    await queues.close();
    await stopRedis();
  });

  test("shows operators the jobs", async () => {
    const job = { v: 1, batchId: "B1", lane: "M/INR", slot: 0, rank: 1, round: 1 } as const;
    await queues.add(submitJob, [job]);
    const { status, json } = await server
      .as("operator")
      .get(`/api/board/api/queues?activeQueue=${submitJob.queue}`);
    expect(status).toBe(200);
    const [shown] = json.queues;
    expect(shown).toMatchObject({ name: submitJob.queue, readOnlyMode: true });
    expect(shown.jobs).toMatchObject([{ data: { batchId: "B1" } }]);
    const seen = await queues.inspect([submitJob.queue]);
    expect(seen).toMatchObject([{ waiting: 1, oldestAtMs: expect.any(Number) }]);
    const page = await server.as("operator").get("/api/board/");
    expect(page.text).toContain("Queues (read-only)");
    expect(page.headers["content-security-policy"]).toContain("script-src 'self' 'nonce-");
  });

  test("refuses every action before it reaches the board", async () => {
    expect(acting.length).toBeGreaterThan(15);
    for (const { method, path } of acting) {
      const answer = await server.as("operator").send(method, path, { body: {} });
      expect(answer.json, `${method} ${path}`).toMatchObject({ code: "queue_board_read_only" });
      expect(answer.status).toBe(405);
    }
    const queue = await queues.queue(submitJob.queue);
    expect(await queue.getJobCounts("prioritized", "failed")).toMatchObject({
      prioritized: 1,
      failed: 0,
    });
  });

  test("is available only to operators", async () => {
    for (const { method, path } of routes) {
      expect((await server.nobody.send(method, path)).status, path).toBe(401);
      for (const role of ["viewer", "uploader", "approver", "auditor", "admin"] as const) {
        expect((await server.as(role).send(method, path)).status, `${role} ${path}`).toBe(403);
      }
    }
  });
});
