/** Where the embedded server listens when it restarts, and whether earlier clients find it. */
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { choosePort, findPostmaster } from "#ledger/embedded/server.ts";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { eventually } from "../../support/servers/eventually.ts";

const folder = mkdtempSync(join(tmpdir(), "payrun-moved-"));
let cluster: string;
let database: Database;
beforeAll(async () => {
  chmodSync(folder, 0o755);
  database = openDatabase((await startEmbedded(folder)).ownerUrl, 1);
  cluster = realpathSync(join(folder, "pg"));
});
afterAll(async () => {
  await database.destroy();
  // This process holds a lease on it and restarts it: its supervisor at that time receives a stop
  // signal as well.
  await eventually("the server stops", async () => {
    tell(await keeper(), "SIGTERM");
    return !(await findPostmaster(cluster));
  });
  if (!cluster.startsWith(folder)) rmSync(dirname(cluster), { recursive: true });
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

const keeper = (): Promise<number> =>
  eventually("a supervisor", () => {
    const watched = readFileSync(join(folder, "keeper.log"), "utf8").matchAll(
      /supervisor (\d+): supervising/g,
    );
    return Number([...watched].at(-1)?.[1]);
  });

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has exited
  }
}

const answers = (): Promise<boolean> =>
  sql`select 1`.execute(database).then(
    () => true,
    () => false,
  );

test("keeps a port held by another supervisor's server of the same cluster", async () => {
  expect(await choosePort(cluster)).toBe((await findPostmaster(cluster))?.port);
});

test("lets pools find a server whose port another process took while it was down", async () => {
  expect(await answers()).toBe(true);
  const before = await findPostmaster(cluster);
  const watching = await keeper();
  process.kill(watching, "SIGSTOP");
  process.kill(Number(before?.pid), "SIGKILL");
  const other = createServer((socket) => socket.destroy());
  await eventually("the port is taken", () => {
    other.listen(before?.port, "127.0.0.1");
    return once(other, "listening").catch(() => undefined);
  });
  process.kill(watching, "SIGCONT");

  await eventually("an answer", answers);
  expect((await findPostmaster(cluster))?.port).not.toBe(before?.port);
  other.close();
});
