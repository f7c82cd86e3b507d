import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { realpathSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Client, Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { findPostmaster, isAlive } from "#ledger/embedded/server.ts";

import { eventually } from "../support/eventually.ts";

const CLIENT = join(import.meta.dirname, "..", "support", "embedded-client.ts");
const isRoot = process.getuid?.() === 0;

let dataDir: string;
let clients: Payrun[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "payrun-embedded-"));
  chmodSync(dataDir, 0o755);
  clients = [];
});

afterEach(async () => {
  for (const { process: client } of clients) client.kill("SIGKILL");
  await eventually("the server stops", async () => !(await postmaster()));
  await eventually("the keeper ends", () => keepers().length === 0);
  const cluster = realpathSync(join(dataDir, "pg"));
  if (!cluster.startsWith(dataDir)) rmSync(dirname(cluster), { recursive: true });
  rmSync(dataDir, { recursive: true });
});

interface Payrun {
  readonly process: ChildProcess;
  readonly url: string;
}

/** A process that uses the cluster, as soon as it says where the server is. */
async function payrun(account: { uid?: number; gid?: number } = {}): Promise<Payrun> {
  const client = spawn(process.execPath, [CLIENT, dataDir], {
    ...account,
    stdio: ["pipe", "pipe", "inherit"],
  });
  clients.push({ process: client, url: "" });
  const ended = once(client, "exit").then(([code]) => Promise.reject(new Error(`exit ${code}`)));
  const [line] = await Promise.race([once(client.stdout, "data"), ended]);
  ended.catch(() => {});
  return { process: client, url: String(line).trim() };
}

async function leave({ process: client }: Payrun): Promise<void> {
  const ended = once(client, "exit");
  client.stdin?.end();
  await ended;
}

const postmaster = () => findPostmaster(realpathSync(join(dataDir, "pg")));
const keeperLog = (): string => readFileSync(join(dataDir, "keeper.log"), "utf8");
const keepers = (): number[] =>
  [...new Set([...keeperLog().matchAll(/keeper (\d+): watching/g)].map(([, pid]) => Number(pid)))]
    .filter((pid) => isAlive(pid))
    .sort((a, b) => a - b);

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("several processes share one server", () => {
  test("started at once in an empty folder, they find the same one", async () => {
    const started = await Promise.all([payrun(), payrun(), payrun(), payrun()]);

    expect(new Set(started.map(({ url }) => url)).size).toBe(1);
    await eventually("one keeper watches", () => keepers().length === 1);
    expect(readdirSync(dataDir).sort()).toEqual(["keeper.log", "pg"]);
    expect(await ask(started[0].url, "show data_checksums")).toEqual([{ data_checksums: "on" }]);
    expect(await ask(started[0].url, "show fsync")).toEqual([{ fsync: "on" }]);
  });

  test("it stays for the last of them, stops after that one, and keeps what was written", async () => {
    const first = await payrun();
    const second = await payrun();
    await ask(first.url, "create table kept as select 42 as answer");
    await leave(first);
    const before = await postmaster();
    await new Promise((resolve) => setTimeout(resolve, 4_000)); // twice the time it waits
    expect(await postmaster()).toEqual(before);

    await leave(second);
    await eventually("the server stops", async () => !(await postmaster()), 10_000);
    const third = await payrun();
    expect(await ask(third.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("one that arrives while the server stops gets it started again", async () => {
    await leave(await payrun());
    await eventually("it is stopping", () => keeperLog().includes("stopping PostgreSQL"));
    const late = await payrun();
    expect(await ask(late.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("a killed client does not keep the server", async () => {
    const { process: client } = await payrun();
    client.kill("SIGKILL");
    await eventually("the server stops", async () => !(await postmaster()), 10_000);
    expect(keeperLog()).toContain("stopping PostgreSQL");
  });
});

describe("after a kill", () => {
  test("a killed keeper is replaced, and the server goes on", async () => {
    const client = await payrun();
    const [keeper] = await eventually("a keeper", () => (keepers().length > 0 ? keepers() : false));
    const before = await postmaster();
    process.kill(Number(keeper), "SIGKILL");

    await eventually("another keeper", () => keepers().some((pid) => pid !== keeper));
    expect(await postmaster()).toEqual(before);
    await leave(client);
    await eventually("the new keeper stops it", async () => !(await postmaster()), 10_000);
  });

  test("a killed server is restarted on the same port, and pools reconnect", async () => {
    const { url } = await payrun();
    const pool = new Pool({ connectionString: url });
    pool.on("error", () => {});
    await pool.query("create table kept as select 42 as answer");
    const before = await postmaster();
    process.kill(Number(before?.pid), "SIGKILL");

    await eventually("another server", async () => {
      const now = await postmaster();
      return now?.ready === true && now.pid !== before?.pid;
    });
    const rows = await eventually("an answer", async () => {
      try {
        return (await pool.query("select answer from kept")).rows;
      } catch {
        return undefined;
      }
    });
    expect(rows).toEqual([{ answer: 42 }]);
    expect((await postmaster())?.port).toBe(before?.port);
    await pool.end();
  });

  test("server and keeper killed together come back while a client lives", async () => {
    const { url } = await payrun();
    const before = await postmaster();
    const [keeper] = await eventually("a keeper", () => (keepers().length > 0 ? keepers() : false));
    process.kill(Number(keeper), "SIGKILL");
    process.kill(Number(before?.pid), "SIGKILL");

    await eventually("a server", async () => {
      const now = await postmaster();
      return now?.ready === true && now.pid !== before?.pid;
    });
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("what an unclean end leaves behind", () => {
  test("a lock file whose number now belongs to another program does not stop the start", async () => {
    await leave(await payrun());
    await eventually("the server stops", async () => !(await postmaster()));
    await eventually("the keeper ends", () => keepers().length === 0);
    const sleeper = spawn("sleep", ["60"]);
    const lock = [sleeper.pid, "/somewhere", 1, 5432, "", "127.0.0.1", "1 1", "ready", ""];
    writeFileSync(join(dataDir, "pg", "postmaster.pid"), lock.join("\n"));

    const { url } = await payrun();
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    sleeper.kill("SIGKILL");
  });

  test("a port that somebody else has taken meanwhile is left to them", async () => {
    const first = await payrun();
    await leave(first);
    await eventually("the server stops", async () => !(await postmaster()));
    const taken = Number(new URL(first.url).port);
    const other = createServer().listen(taken, "127.0.0.1");
    await once(other, "listening");

    const second = await payrun();
    expect(new URL(second.url).port).not.toBe(String(taken));
    other.close();
  });
});

describe("who may see what", () => {
  test("the log holds neither statements nor values", async () => {
    const { url } = await payrun();
    await ask(url, "create table one (account text primary key)");
    await ask(url, "insert into one values ('DE0012345678')");
    await expect(ask(url, "insert into one values ('DE0012345678')")).rejects.toThrow("duplicate");

    const folder = join(dataDir, "pg", "log");
    const logs = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(logs.join("\n")).toContain("duplicate key");
    expect(logs.join("\n")).not.toContain("DE0012345678");
  });

  test("only the account that serves it can read the cluster", async () => {
    await payrun();
    expect(statSync(join(dataDir, "pg")).mode & 0o077).toBe(0);
    expect(statSync(join(dataDir, "pg", "payrun.password")).mode & 0o077).toBe(0);
    expect(statSync(join(dataDir, "pg")).uid === 0).toBe(false);
  });

  test("a data folder that only its owner may enter is served, too", async () => {
    chmodSync(dataDir, 0o700);
    const { url } = await payrun();
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    // As root the server runs as an account that may not enter it, so the cluster is elsewhere.
    expect(realpathSync(join(dataDir, "pg")).startsWith(dataDir)).toBe(!isRoot);
  });

  test("it serves an ordinary user", async () => {
    const uid = Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" }));
    const gid = Number(execFileSync("id", ["-g", "nobody"], { encoding: "utf8" }));
    // Root tries it as somebody else, where that account can read this project at all.
    const canBeNobody = isRoot && isWorldReadable(CLIENT) && isWorldReadable(process.execPath);
    if (canBeNobody) chownSync(dataDir, uid, gid);

    const { url } = await payrun(canBeNobody ? { uid, gid } : {});
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    const owner =
      canBeNobody || !isRoot ? statSync(dataDir).uid : statSync(join(dataDir, "pg")).uid;
    expect(statSync(join(dataDir, "pg")).uid).toBe(owner);
  });
});

function isWorldReadable(path: string): boolean {
  if (path === "/") return true;
  return (statSync(path).mode & 0o005) !== 0 && isWorldReadable(dirname(path));
}
