/** Answers from an address where another server runs instead of payrun. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere, scratch } from "../support/servers/payrun.ts";

/** Answers every request with one page. */
async function stranger(status: number) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end("<p>Hello");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const keyFile = join(scratch(), "key");
  writeFileSync(keyFile, `pk_${"a".repeat(43)}\n`, { mode: 0o600 });
  const to = ["--server", `http://127.0.0.1:${port}/foo`, "--api-key-file", keyFile];
  return { server, run: (...words: string[]) => runHere(["batch", ...words, ...to]) };
}

test("reports a web page instead of an answer as a wrong address, not as a report", async () => {
  const { server, run } = await stranger(200);
  const asked = [["list"], ["report", "B1"], ["pause", "B1", "--reason", "why"]];
  const ended = await Promise.all(asked.map((words) => run(...words)));
  server.close();
  for (const { code, stdout, stderr } of ended) {
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("returned a web page")]);
  }
});

test.each([
  [502, 9, " A proxy in front of the server may have responded."],
  [413, 3, " A proxy in front of the server may have responded."],
  [404, 4, " Is payrun running at this URL?"],
])("recognises a proxy's page with HTTP %i", async (status, exitCode, words) => {
  const { server, run } = await stranger(status);
  const question = await run("list");
  const order = await run("pause", "B1", "--reason", "why");
  server.close();
  for (const { code, stderr } of [question, order]) {
    expect(code).toBe(exitCode);
    expect(stderr).toContain(
      `returned HTTP ${status}, and the response was not in payrun's format.${words}`,
    );
  }
  expect(question.stderr).not.toContain("is unknown");
  expect(order.stderr.includes("may or may not have been carried out")).toBe(status >= 500);
});
