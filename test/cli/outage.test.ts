/** The message and exit code of a command when the database is unavailable. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { freshLedger } from "../support/ledger.ts";
import {
  FAST,
  type Env,
  makeFile,
  merchantsFile,
  rowsOf,
  runHere,
  scratch,
} from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";

const folder = scratch();
const env = (url: string): Env => ({
  ...FAST,
  DATABASE_URL: url,
  PAYRUN_DATA: folder,
  GATEWAY_URL: "http://127.0.0.1:9",
  MERCHANTS_FILE: merchantsFile(folder),
});

/** A PostgreSQL that refuses every connection with this message. */
async function refusing(code: string, words: string) {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${words}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([Buffer.from("E"), length, fields])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://payrun:none@127.0.0.1:${port}/payrun?sslmode=disable`, server };
}

test.each([
  {
    code: "53300",
    words: "sorry, too many clients already",
    said: "has reached its connection limit",
  },
  {
    code: "53100",
    words: "could not extend file: No space left",
    said: "database disk is full",
  },
  {
    code: "55P03",
    words: "canceling statement due to lock timeout",
    said: "holds a lock in the database",
    advice: "pg_blocking_pids",
  },
  { code: "57P03", words: "the database system is starting up", said: "cannot be reached" },
  {
    code: "42501",
    words: "permission denied for database pay",
    said: "lacks a right that payrun needs",
    advice: "grant create on database",
  },
  {
    code: "08P01",
    words: "unsupported startup parameter: options",
    said: "rejected the protocol of the connection",
    advice: "not to a pooler",
  },
])("exits with 9 and a sentence for $code", async ({ code, words, said, advice = "" }) => {
  const { url, server } = await refusing(code, words);
  const ended = await runHere(["batch", "list"], env(url));
  const looked = await runHere(["doctor"], env(url));
  server.close();
  expect(ended.code).toBe(9);
  expect(ended.stderr).toMatch(new RegExp(`^(The|Another) .*${said}: ${words}; .*${advice}`));
  expect(looked.stdout).toMatch(new RegExp(`broken .* database: ${words}\n.*→ .*${advice}`));
});

describe("a read-only ledger", () => {
  let url: string;
  beforeAll(async () => {
    url = await freshLedger();
    await runHere(["migrate"], env(url));
    await query(
      url,
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    );
  });

  test.each([
    ["batch list", "There are no batches yet. To create one: payrun batch create FILE\n"],
    ["export", ""],
    ["lane list", ""],
  ])("is readable with %s", async (command, stderr) => {
    expect(await runHere(command.split(" "), env(url))).toMatchObject({ code: 0, stderr });
  });

  test("makes pay exit with 9 and a message", async () => {
    const { path, totals } = makeFile(folder, rowsOf(1));
    const ended = await runHere(["pay", path, "--no-wait", ...totals], env(url));
    expect(ended).toMatchObject({ code: 9 });
    expect(ended.stderr).toContain("The database is read-only: ");
  });

  test("is reported as broken by doctor", async () => {
    const { code, stdout } = await runHere(["doctor", "--json"], env(url));
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    expect(code).toBe(9);
    expect(findings.find(({ name }) => name === "writes")).toMatchObject({
      state: "broken",
      found: expect.stringContaining("read-only transaction"),
    });
  });
});
