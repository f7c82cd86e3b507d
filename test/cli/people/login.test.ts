import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer, workingKey } from "../../support/dashboard/server.ts";
import { runHere, scratch } from "../../support/servers/payrun.ts";

let server: TestServer;
let url: string;
let keyFile: string;
/** The settings of a user who has not used payrun before. */
const settings = scratch();
const payrun = (...words: string[]) => runHere(words, { XDG_CONFIG_HOME: settings });

beforeAll(async () => {
  server = await startTestServer();
  url = await server.listen();
  const { token } = await workingKey(server.deps, ["read"]);
  keyFile = join(scratch(), "a.key");
  writeFileSync(keyFile, `${token.reveal()}\n`, { mode: 0o600 });
});
afterAll(() => server.close());

test("stores a key that the server accepts, uses it with --server, and deletes it", async () => {
  expect(await payrun("batch", "list", "--server", url)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`payrun login ${url}`),
  });

  const { code, stderr } = await payrun("login", url, "--api-key-file", keyFile);
  expect([code, stderr]).toEqual([0, expect.stringContaining("Its permissions: read.")]);
  expect(stderr).toContain(`export PAYRUN_SERVER=${url}`);
  expect(stderr).not.toMatch(/pk_/);
  const [, path = ""] = /is stored in (\S+), readable/.exec(stderr) ?? [];
  expect(path.startsWith(`${settings}/payrun/keys/`)).toBe(true);
  expect([statSync(path).mode & 0o777, statSync(join(path, "..")).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  expect(await payrun("batch", "list", "--server", url)).toMatchObject({ code: 0 });

  expect(await payrun("logout", url)).toMatchObject({ code: 0 });
  expect(await payrun("batch", "list", "--server", url)).toMatchObject({ code: 2 });
  expect(await payrun("logout", url)).toMatchObject({ code: 4 });
});

test("does not store a key that the server refuses", async () => {
  const wrong = join(scratch(), "wrong.key");
  writeFileSync(wrong, `pk_${"A".repeat(43)}\n`, { mode: 0o600 });
  expect(await payrun("login", url, "--api-key-file", wrong)).toMatchObject({ code: 5 });
  expect(await payrun("logout", url)).toMatchObject({ code: 4 });
});

test("does not switch commands without --server to the server", async () => {
  await payrun("login", url, "--api-key-file", keyFile);
  const { code, stderr } = await payrun("pay", "missing.csv");
  expect([code, stderr]).toEqual([4, expect.stringContaining("file not found")]);
});

test("refuses an address without a protocol, and plain http to another machine", async () => {
  for (const [address, says] of [
    ["pay.example", "https://pay.example"],
    ["http://pay.example", "Use https"],
  ] as const) {
    const ended = await payrun("login", address, "--api-key-file", keyFile);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  }
});
