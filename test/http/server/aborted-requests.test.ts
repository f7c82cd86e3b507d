import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { startTestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

test("discards an aborted upload, logs no error, and accepts the whole file afterwards", async () => {
  const written = new PassThrough();
  let logged = "";
  written.on("data", (piece: Buffer) => {
    logged += piece.toString();
  });
  const desk = await startTestServer({ log: pino({ level: "info" }, written) }, ["admin"]);
  const { port, hostname } = new URL(await desk.listen());
  const program = await desk.newKey(["upload"]);
  const file = fileText(rowsOf(20));
  const named = { ...program.headers, "idempotency-key": "broken-off" };

  const line = connect(Number(port), hostname);
  const head = {
    host: hostname,
    ...named,
    "content-type": "text/csv",
    "content-length": 9_999_999,
  };
  const fields = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  line.write(`POST /api/batches?file_name=a.csv HTTP/1.1\r\n${fields.join("")}\r\n${file}`);
  const folder = join(desk.deps.config.PAYRUN_DATA, "uploads");
  const kept = () => (existsSync(folder) ? readdirSync(folder) : []);
  await eventually("it is on the way", () => kept().length === 1);
  line.destroy();
  await once(line, "close");

  await eventually("it is in the log", () => logged.includes("client aborted the request"));
  const levels = logged
    .trim()
    .split("\n")
    .map((each) => (JSON.parse(each) as { level: number }).level);
  expect(Math.max(...levels)).toBe(30);
  expect(kept()).toEqual([]);
  const whole = await program.send("POST", "/api/batches?file_name=a.csv", {
    body: file,
    headers: { ...named, "content-type": "text/csv" },
  });
  expect(whole).toMatchObject({ status: 201, json: { is_new: true } });
  await desk.close();
});
