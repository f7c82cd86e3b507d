import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader"]);
});
afterAll(() => server.close());

test("F28 reports a file that the server's disk cannot hold as such, and accepts it later", async () => {
  const folder = join(server.deps.config.PAYRUN_DATA, "uploads");
  const headers = { "idempotency-key": "no-room" };
  const upload = () =>
    server.as("uploader").post("/api/batches?file_name=a.csv", fileText(rowsOf(2)), { headers });
  writeFileSync(folder, "");
  expect(await upload()).toMatchObject({
    status: 507,
    json: {
      code: "disk_full",
      detail: expect.stringMatching(/in its upload folder: part of the path is a file\. /),
    },
  });
  rmSync(folder);
  expect((await upload()).status).toBe(201);
});
