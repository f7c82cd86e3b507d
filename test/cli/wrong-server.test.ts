/** What stands at the address in the place of payrun. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere, scratch } from "../support/payrun.ts";

test("a page in the place of an answer is a wrong address, and no report", async () => {
  const stranger = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<p>Hello");
  }).listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const { port } = stranger.address() as AddressInfo;
  const keyFile = join(scratch(), "key");
  writeFileSync(keyFile, `pk_${"a".repeat(43)}\n`, { mode: 0o600 });
  const to = ["--server", `http://127.0.0.1:${port}/foo`, "--api-key-file", keyFile];
  const asked = [["list"], ["report", "B1"], ["pause", "B1", "--reason", "why"]];
  const ended = await Promise.all(asked.map((words) => runHere(["batch", ...words, ...to])));
  stranger.close();
  for (const { code, stdout, stderr } of ended) {
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("with a page")]);
  }
});
