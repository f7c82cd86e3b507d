import { afterAll, beforeAll, expect, test } from "vitest";
import { startTopology, type Topology } from "../../scripts/topology/topology.ts";
import { startSetup, type Setup } from "../support/journey.ts";
import { eventually } from "../support/servers/eventually.ts";
import { scratch } from "../support/servers/payrun.ts";
import { freePort } from "../support/servers/ports.ts";

let setup: Setup;
let topology: Topology;
beforeAll(async () => {
  setup = await startSetup("redis");
  topology = await startTopology({
    env: { ...setup.env, DATABASE_CONNECTIONS: "6" },
    servers: 2,
    workers: 2,
    nextPort: freePort,
    folder: scratch(),
    log: () => {},
  });
});
afterAll(async () => {
  await topology.stop();
  await setup.stop();
});

/** Every request uses a new connection, which the balancer passes to the next server. */
const status = (path: string) =>
  fetch(`${topology.balancer.url}${path}`, { headers: { connection: "close" } }).then(
    (answer) => answer.status,
  );
const countsOf = async (name: string) => {
  const member = topology.members.find((each) => each.name === name);
  return (await fetch(`${member?.metricsUrl}/metrics`)).text();
};

test("answers on every server, and without one that has been killed", async () => {
  await eventually("both servers are ready", () => topology.balancer.ready().length === 2);
  for (let times = 0; times < 4; times += 1) expect(await status("/api/batches")).toBe(401);
  for (const name of ["server-1", "server-2"])
    expect(await countsOf(name)).toMatch(/http_request_duration_seconds_count\{[^}]*"4xx"\} 2\n/);

  await topology.end("server-1", "SIGKILL");
  await eventually("one server is ready", () => topology.balancer.ready().length === 1);
  for (let times = 0; times < 4; times += 1) expect(await status("/healthz")).toBe(200);
});

test("each worker reports its own statements, and the other continues without it", async () => {
  for (const name of ["worker-1", "worker-2"])
    expect(await countsOf(name)).toContain("payrun_ledger_statement_duration_seconds_count");
  await topology.end("worker-1", "SIGTERM");
  const [, second] = topology.members.filter(({ name }) => name.startsWith("worker"));
  expect((await fetch(`${second?.metricsUrl}/readyz`)).status).toBe(200);
});
