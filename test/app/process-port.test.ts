import { expect, test } from "vitest";
import { openProcessPort } from "#app/process-port.ts";
import { DURATIONS } from "#base/telemetry/histograms.ts";

test("serves health and the metrics of the process without a key", async () => {
  let problems: readonly string[] = [];
  const port = await openProcessPort({
    host: "127.0.0.1",
    port: 0,
    health: async () => problems,
  });
  const get = async (path: string) => {
    const answer = await fetch(`${port.url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect((await get("/healthz")).status).toBe(200);
  expect((await get("/readyz")).status).toBe(200);
  problems = ["no sweep in the last minute"];
  expect(await get("/readyz")).toEqual({
    status: 503,
    text: JSON.stringify({ status: "unready", problems }),
  });
  DURATIONS.job.record(0.2, "payrun-test", "done");
  expect((await get("/metrics")).text).toContain(
    'payrun_job_duration_seconds_count{queue="payrun-test",result="done"} 1',
  );
  expect((await get("/other")).status).toBe(404);

  const { hostname, port: taken } = new URL(port.url);
  const again = openProcessPort({ host: hostname, port: Number(taken), health: async () => [] });
  await expect(again).rejects.toThrow(
    /METRICS_PORT \d+ on 127.0.0.1 cannot be opened \(EADDRINUSE\)/,
  );
  await port.close();
});
