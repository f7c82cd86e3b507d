import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { findPostmaster } from "#ledger/embedded/server.ts";
import { retryUntilStarted } from "#ledger/embedded/start.ts";
import { eventually } from "../../support/servers/eventually.ts";

const PROGRAM = join(import.meta.dirname, "../..", "support/servers/embedded-client.ts");

const KEEPER = join(import.meta.dirname, "../../../src/ledger/embedded/supervisor.ts");
const spawnKeeper = (folder: string) =>
  spawn(process.execPath, ["--disable-warning=ExperimentalWarning", KEEPER, folder], {
    stdio: ["ignore", "ignore", "pipe"],
  });

/**
 * Ends the only client of a server and waits until the supervisor has seen nobody for 1.5 s of 2 s.
 * Returns the connection that saw it, or undefined if the server stopped meanwhile.
 */
async function spyOnIdleServer(
  only: ChildProcessByStdio<Writable, Readable, null>,
): Promise<Client | undefined> {
  const [url] = await once(only.stdout, "data");
  // It is not counted among the clients, and sees when the supervisor looks for clients.
  const spy = new Client({
    connectionString: `${String(url).trim()}&application_name=payrun+supervisor`,
  });
  let hasStopped = false;
  spy.on("error", () => {
    hasStopped = true;
  });
  await spy.connect();
  only.stdin.end();
  await once(only, "exit");
  const looks = new Set<unknown>();
  const isIdle = async (): Promise<boolean> => {
    const { rows } = await spy.query(
      "select query_start::text from pg_stat_activity where application_name = 'payrun supervisor' and pid <> pg_backend_pid()",
    );
    looks.add(rows[0]?.query_start);
    return looks.size >= 4;
  };
  try {
    await eventually("the supervisor has seen nobody for 1.5 s", isIdle);
    return spy;
  } catch (error) {
    await spy.end().catch(() => {});
    if (!hasStopped) throw error;
    return undefined;
  }
}

test("does not cut off a process that arrives just before the supervisor would stop the server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "payrun-keeper-"));
  chmodSync(folder, 0o755);
  const start = (...words: readonly string[]) =>
    spawn(process.execPath, [PROGRAM, folder, ...words], { stdio: ["pipe", "pipe", "inherit"] });
  const late = start("wait");
  // On a loaded machine the server may stop before this process sees that it is about to.
  let spy: Client | undefined;
  for (let tries = 0; spy === undefined && tries < 10; tries++)
    spy = await spyOnIdleServer(start());
  expect(spy).toBeDefined();
  late.stdin.write("now\n");
  const [place] = await once(late.stdout, "data");
  const client = new Client({ connectionString: String(place).trim() });
  await client.connect();
  expect((await client.query("select pg_sleep(1.5)")).rowCount).toBe(1);

  await Promise.all([client.end(), spy?.end()]);
  late.stdin.end();
  const cluster = realpathSync(join(folder, "pg"));
  await eventually("the server stops", async () => !(await findPostmaster(cluster)));
  if (!cluster.startsWith(folder)) rmSync(dirname(cluster), { recursive: true });
  rmSync(folder, { recursive: true });
});

test("leaves no server behind when the supervisor is stopped during its start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "payrun-keeper-"));
  chmodSync(folder, 0o755);
  const client = spawn(process.execPath, [PROGRAM, folder], { stdio: ["pipe", "pipe", "inherit"] });
  await once(client.stdout, "data");
  client.stdin.end();
  const cluster = realpathSync(join(folder, "pg"));
  await eventually("the server stops", async () => !(await findPostmaster(cluster)));

  const keeper = spawnKeeper(folder);
  for await (const said of keeper.stderr) if (String(said).includes("starting PostgreSQL")) break;
  keeper.kill("SIGTERM");
  await once(keeper, "exit");
  expect(await findPostmaster(cluster)).toBeUndefined();
  if (!cluster.startsWith(folder)) rmSync(dirname(cluster), { recursive: true });
  rmSync(folder, { recursive: true });
});

describe("a server that does not start because the disk is full", () => {
  test("is retried until it starts, with one message for each state", async () => {
    const said: string[] = [];
    let tries = 0;
    const start = async () => {
      tries += 1;
      if (tries < 5) throw new Error("The embedded PostgreSQL did not start within 30 s.");
      return "started";
    };
    const pause = async () => {};
    expect(await retryUntilStarted(start, { pause, say: (text) => said.push(text) })).toBe(
      "started",
    );
    expect(said).toEqual([
      "The embedded PostgreSQL did not start within 30 s.\npayrun keeps trying to start it.",
      "The embedded PostgreSQL is running again.",
    ]);
  });

  test("is given up by its supervisor with a sentence, without a stack", async () => {
    const folder = mkdtempSync(join(tmpdir(), "payrun-keeper-"));
    const said = await text(spawnKeeper(folder).stderr);
    expect(said.trim()).toMatch(
      /supervisor \d+: giving up: The database in .*pg cannot be opened: /,
    );
    expect(said.trim().split("\n")).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});
