import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { realpathSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Client, Pool } from "pg";
import { describe, expect, test as base } from "vitest";

import { findPostmaster, isAlive, type Postmaster } from "#ledger/embedded/server.ts";

import { eventually } from "../../support/servers/eventually.ts";

const CLIENT = join(import.meta.dirname, "../..", "support/servers/embedded-client.ts");
const isRoot = process.getuid?.() === 0;

interface Payrun {
  readonly process: ChildProcess;
  readonly url: string;
}

/** A separate data folder, and the processes that use it. */
class Place {
  readonly dataDir = mkdtempSync(join(tmpdir(), "payrun-embedded-"));
  readonly #clients: ChildProcess[] = [];

  constructor() {
    chmodSync(this.dataDir, 0o755);
  }

  /** A process that uses the cluster, once it knows where the server is. */
  async payrun(account: { uid?: number; gid?: number } = {}): Promise<Payrun> {
    const client = spawn(process.execPath, [CLIENT, this.dataDir], {
      ...account,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#clients.push(client);
    const ended = once(client, "exit").then(([code]) => Promise.reject(new Error(`exit ${code}`)));
    ended.catch(() => {});
    const [line] = await Promise.race([once(client.stdout, "data"), ended]);
    return { process: client, url: String(line).trim() };
  }

  readonly postmaster = () => findPostmaster(realpathSync(join(this.dataDir, "pg")));
  readonly log = (): string => readFileSync(join(this.dataDir, "keeper.log"), "utf8");

  /** The running supervisors among all that ever ran. */
  keepers(): number[] {
    const watched = [...this.log().matchAll(/supervisor (\d+): supervising/g)].map(([, pid]) =>
      Number(pid),
    );
    return [...new Set(watched)].filter((pid) => isAlive(pid));
  }

  keeper(): Promise<number> {
    return eventually("a supervisor", () => this.keepers()[0]);
  }

  anotherServer(before: Postmaster | undefined): Promise<boolean> {
    return eventually("another server", async () => {
      const now = await this.postmaster();
      return now?.ready === true && now.pid !== before?.pid;
    });
  }

  async stopped(): Promise<void> {
    await eventually("the server stops", async () => !(await this.postmaster()));
    await eventually("the supervisor ends", () => this.keepers().length === 0);
  }

  async remove(): Promise<void> {
    for (const client of this.#clients) client.kill("SIGKILL");
    await this.stopped();
    const cluster = realpathSync(join(this.dataDir, "pg"));
    if (!cluster.startsWith(this.dataDir)) rmSync(dirname(cluster), { recursive: true });
    rmSync(this.dataDir, { recursive: true });
  }
}

const test = base.extend<{ place: Place }>({
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures from it
  place: async ({}, use) => {
    const place = new Place();
    await use(place);
    await place.remove();
  },
});

async function leave({ process: client }: Payrun): Promise<void> {
  const ended = once(client, "exit");
  client.stdin?.end();
  await ended;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.concurrent("several processes share one server", () => {
  test("find the same one when started together in an empty folder", async ({ place }) => {
    const started = await Promise.all([
      place.payrun(),
      place.payrun(),
      place.payrun(),
      place.payrun(),
    ]);

    expect(new Set(started.map(({ url }) => url)).size).toBe(1);
    await eventually("one supervisor watches", () => place.keepers().length === 1);
    expect(readdirSync(place.dataDir).sort()).toEqual(["keeper.log", "pg"]);
    expect(await ask(started[0].url, "show data_checksums")).toEqual([{ data_checksums: "on" }]);
    expect(await ask(started[0].url, "show fsync")).toEqual([{ fsync: "on" }]);
  });

  test("keep it running until the last one stops, then stop it and keep the data", async ({
    place,
  }) => {
    const first = await place.payrun();
    const second = await place.payrun();
    await ask(first.url, "create table kept as select 42 as answer");
    await leave(first);
    const before = await place.postmaster();
    await new Promise((resolve) => setTimeout(resolve, 4_000)); // twice the time it waits
    expect(await place.postmaster()).toEqual(before);

    await leave(second);
    await eventually("the server stops", async () => !(await place.postmaster()));
    const third = await place.payrun();
    expect(await ask(third.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("restart it when one arrives while the server stops", async ({ place }) => {
    await leave(await place.payrun());
    await eventually("it is stopping", () => place.log().includes("stopping PostgreSQL"));
    const late = await place.payrun();
    expect(await ask(late.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("do not keep it when a client was killed", async ({ place }) => {
    const { process: client } = await place.payrun();
    client.kill("SIGKILL");
    await eventually("the server stops", async () => !(await place.postmaster()));
    expect(place.log()).toContain("stopping PostgreSQL");
  });
});

describe.concurrent("after a kill", () => {
  test("replaces a killed supervisor while the server continues", async ({ place }) => {
    const client = await place.payrun();
    const keeper = await place.keeper();
    const before = await place.postmaster();
    process.kill(keeper, "SIGKILL");

    await eventually("another supervisor", () => place.keepers().some((pid) => pid !== keeper));
    expect(await place.postmaster()).toEqual(before);
    await leave(client);
    await eventually("the new supervisor stops it", async () => !(await place.postmaster()));
  });

  test("F24 restarts a killed server on the same port, and pools reconnect", async ({ place }) => {
    const { url } = await place.payrun();
    const pool = new Pool({ connectionString: url });
    pool.on("error", () => {});
    await pool.query("create table kept as select 42 as answer");
    const before = await place.postmaster();
    process.kill(Number(before?.pid), "SIGKILL");

    await place.anotherServer(before);
    const rows = await eventually("an answer", async () => {
      try {
        return (await pool.query("select answer from kept")).rows;
      } catch {
        return undefined;
      }
    });
    expect(rows).toEqual([{ answer: 42 }]);
    expect((await place.postmaster())?.port).toBe(before?.port);
    await pool.end();
  });

  test("restarts server and supervisor killed together while a client lives", async ({ place }) => {
    const { url } = await place.payrun();
    const before = await place.postmaster();
    const keeper = await place.keeper();
    process.kill(keeper, "SIGKILL");
    process.kill(Number(before?.pid), "SIGKILL");

    await place.anotherServer(before);
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe.concurrent("leftovers of an unclean end", () => {
  test("do not stop the start with a lock file whose process id now belongs to another program", async ({
    place,
  }) => {
    await leave(await place.payrun());
    await place.stopped();
    const sleeper = spawn("sleep", ["60"]);
    const lock = [sleeper.pid, "/somewhere", 1, 5432, "", "127.0.0.1", "1 1", "ready", ""];
    writeFileSync(join(place.dataDir, "pg", "postmaster.pid"), lock.join("\n"));

    const { url } = await place.payrun();
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    sleeper.kill("SIGKILL");
  });

  test("leave a port that another process has taken meanwhile", async ({ place }) => {
    const first = await place.payrun();
    await leave(first);
    await eventually("the server stops", async () => !(await place.postmaster()));
    const taken = Number(new URL(first.url).port);
    const other = createServer().listen(taken, "127.0.0.1");
    await once(other, "listening");

    const second = await place.payrun();
    expect(new URL(second.url).port).not.toBe(String(taken));
    other.close();
  });
});

describe.concurrent("access", () => {
  test("keeps statements and values out of the log", async ({ place }) => {
    const { url } = await place.payrun();
    await ask(url, "create table one (account text primary key)");
    await ask(url, "insert into one values ('DE0012345678')");
    await expect(ask(url, "insert into one values ('DE0012345678')")).rejects.toThrow("duplicate");

    const folder = join(place.dataDir, "pg", "log");
    // Another process writes it.
    const log = await eventually("the refusal in the log", () => {
      const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
      return texts.join("\n").includes("duplicate key") && texts.join("\n");
    });
    expect(log).not.toContain("DE0012345678");
  });

  test("lets only the server's account read the cluster", async ({ place }) => {
    await place.payrun();
    expect(statSync(join(place.dataDir, "pg")).mode & 0o077).toBe(0);
    expect(statSync(join(place.dataDir, "pg", "payrun.password")).mode & 0o077).toBe(0);
    expect(statSync(join(place.dataDir, "pg")).uid === 0).toBe(false);
  });

  test("serves a data folder that only its owner may enter", async ({ place }) => {
    chmodSync(place.dataDir, 0o700);
    const { url } = await place.payrun();
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    // As root, the server runs as an account that may not enter it, so the cluster is elsewhere.
    expect(realpathSync(join(place.dataDir, "pg")).startsWith(place.dataDir)).toBe(!isRoot);
  });

  test("serves an ordinary user", async ({ place }) => {
    const uid = Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" }));
    const gid = Number(execFileSync("id", ["-g", "nobody"], { encoding: "utf8" }));
    // Root tries it as another user, where that account can read this project.
    const canBeNobody = isRoot && isWorldReadable(CLIENT) && isWorldReadable(process.execPath);
    if (canBeNobody) chownSync(place.dataDir, uid, gid);

    const { url } = await place.payrun(canBeNobody ? { uid, gid } : {});
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
    const owner =
      canBeNobody || !isRoot
        ? statSync(place.dataDir).uid
        : statSync(join(place.dataDir, "pg")).uid;
    expect(statSync(join(place.dataDir, "pg")).uid).toBe(owner);
  });
});

function isWorldReadable(path: string): boolean {
  if (path === "/") return true;
  return (statSync(path).mode & 0o005) !== 0 && isWorldReadable(dirname(path));
}
