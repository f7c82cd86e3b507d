/**
 * A ledger with an owner: how it is migrated, and how an installation with one role gets a second
 * one.
 */
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { submitJob } from "#jobs/submit.ts";
import { JobProducer } from "#jobs/queue.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { migrate } from "#ledger/store/migrate.ts";
import type { RoleAddresses } from "#ledger/store/owner-role.ts";
import { ledgerRole } from "#ledger/store/rights.ts";
import { freshDatabase } from "../../support/ledger.ts";
import {
  FAST,
  makeFile,
  merchantsFile,
  runHere,
  runPayrun,
  scratch,
} from "../../support/servers/payrun.ts";
import { asIs, query } from "../../support/servers/postgres.ts";
import { startSimulator } from "../../support/servers/simulator.ts";

let ownerUrl: string;
/** An address with a role that does not exist yet. */
let roles: RoleAddresses;
let roleCount = 0;
const withUser = (url: string, username: string, password: string): string =>
  Object.assign(new URL(url), { username, password }).href;

beforeEach(async () => {
  ownerUrl = await freshDatabase();
  const name = `app_${process.pid}_${(roleCount += 1)}`;
  roles = { url: withUser(ownerUrl, name, "a p@ss'word"), ownerUrl };
});

const opened = async <T>(
  url: string,
  work: (database: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> => {
  const database = openDatabase(url, 2);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
};
const migrateBoth = () => opened(roles.url, (database) => migrate(database, roles));
const roleNow = () => opened(roles.url, ledgerRole);
const addJob = async (url: string): Promise<void> => {
  const producer = new JobProducer({ kind: "postgres", url }, () => {});
  const payload = { v: 1 as const, batchId: "B1", lane: "M/INR", slot: 0, round: 0, rank: 1 };
  await producer.add(submitJob, [payload]);
  await producer.close();
};

describe("migrations with an owner", () => {
  test("create the application's role with the rights it needs and no ownership", async () => {
    expect(await migrateBoth()).not.toEqual([]);
    expect(await roleNow()).toMatchObject({
      powers: [],
      lacks: [],
      exceeds: [],
      mayMigrate: false,
    });
    expect(await migrateBoth()).toEqual([]);
    await addJob(roles.url);
  });

  test("run once when many processes start them together", async () => {
    const ran = await Promise.all(Array.from({ length: 5 }, migrateBoth));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await roleNow()).toMatchObject({ lacks: [], exceeds: [] });
  });

  test("separate the roles of an installation that had one, with its queue", async () => {
    await opened(ownerUrl, (database) => migrate(database));
    await addJob(ownerUrl);
    expect(await migrateBoth()).toEqual([]);
    expect(await roleNow()).toMatchObject({ powers: [], lacks: [], exceeds: [] });
    await addJob(roles.url);
  });

  test("revoke an additional right, and grant a missing one", async () => {
    await migrateBoth();
    const { username } = new URL(roles.url);
    await query(ownerUrl, `grant update, truncate on audit to ${username}`);
    await query(ownerUrl, `revoke insert on evidence from ${username}`);
    expect(await roleNow()).toMatchObject({
      lacks: ["insert on evidence"],
      exceeds: ["update on audit", "truncate on audit"],
    });
    await migrateBoth();
    expect(await roleNow()).toMatchObject({ lacks: [], exceeds: [] });
  });

  test("are refused without the owner's address, in a sentence that names the command", async () => {
    const { username } = new URL(roles.url);
    await query(ownerUrl, `create role ${username} login password 'a p@ss''word'`);
    const alone = () => opened(roles.url, (database) => migrate(database));
    await opened(ownerUrl, (database) => migrate(database));
    await expect(alone()).rejects.toThrow(
      new RegExp(
        `connects as ${username}, which cannot be used by payrun .*: \\d+ migrations have not run, .* Run: DATABASE_OWNER_URL=`,
      ),
    );
    await migrateBoth();
    await query(ownerUrl, `revoke insert on evidence from ${username}`);
    await expect(alone()).rejects.toThrow(": it has no right to insert on evidence. Run:");
  });

  test("are refused where the owner's address is a different database, and create nothing there", async () => {
    await migrateBoth();
    await query(ownerUrl, `revoke insert on evidence from ${new URL(roles.url).username}`);
    const other = await freshDatabase();
    const wrong = opened(roles.url, (database) => migrate(database, { ...roles, ownerUrl: other }));
    await expect(wrong).rejects.toThrow(
      "DATABASE_OWNER_URL and DATABASE_URL are different databases",
    );
    expect(await query(other, "select to_regclass('migrations') as made")).toEqual([
      { made: null },
    ]);
  });

  test("are refused with a wrong password of the owner, which is not shown", async () => {
    const refused = withUser(ownerUrl, "payrun", "wrong");
    const wrong = opened(roles.url, (database) =>
      migrate(database, { ...roles, ownerUrl: refused }),
    );
    await expect(wrong).rejects.toThrow(
      /^The database server refused DATABASE_OWNER_URL: (?!.*wrong)/,
    );
  });

  test("do not change the password of a role that exists", async () => {
    await migrateBoth();
    const wrong = { ...roles, url: withUser(roles.url, new URL(roles.url).username, "guess") };
    const guessed = opened(wrong.url, (database) => migrate(database, wrong));
    await expect(guessed).rejects.toThrow("password authentication failed");
    expect(await migrateBoth()).toEqual([]);
  });

  test("leave the owner its rights where both addresses name it", async () => {
    await opened(ownerUrl, (database) => migrate(database, { url: ownerUrl, ownerUrl }));
    expect(await opened(ownerUrl, ledgerRole)).toMatchObject({ lacks: [], mayMigrate: true });
  });
});

test("refuses an owner's address without an application's before it creates another ledger", async () => {
  const env = { ...FAST, PAYRUN_DATA: scratch(), DATABASE_OWNER_URL: ownerUrl };
  const { code, stderr } = await runHere(["migrate"], env);
  expect(code).not.toBe(0);
  expect(stderr).toContain("DATABASE_OWNER_URL is set, but DATABASE_URL is not");
  expect(readdirSync(env.PAYRUN_DATA)).toEqual([]);
});

describe("payrun doctor", () => {
  const rolesFinding = async (url: string) => {
    const env = { ...FAST, PAYRUN_DATA: scratch(), DATABASE_URL: url };
    const { stdout } = await runHere(["doctor", "--json"], env);
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    return findings.find(({ name }) => name === "database roles");
  };

  test("accepts a separate role, and warns about a role that owns the ledger or can become its owner", async () => {
    await migrateBoth();
    expect(await rolesFinding(roles.url)).toMatchObject({ state: "ok" });
    expect(await rolesFinding(ownerUrl)).toMatchObject({
      state: "warning",
      found: expect.stringContaining("superuser"),
      advice: expect.stringContaining("DATABASE_OWNER_URL"),
    });
  });

  test.each([
    ["grant payrun to NAME", "it is a member of the superuser payrun"],
    ["alter role NAME createrole", "it may create roles"],
    ["grant create on schema payrun to NAME", "it may create objects in the schema payrun"],
    ["grant pg_write_all_data to NAME", "it is a member of pg_write_all_data"],
    ["alter table payrun.audit owner to NAME", "it owns the ledger"],
    ["grant delete on audit to NAME", "unnecessary rights: delete on audit"],
  ])("warns after: %s", async (grant, found) => {
    await migrateBoth();
    await query(ownerUrl, grant.replace("NAME", new URL(roles.url).username));
    expect(await rolesFinding(roles.url)).toMatchObject({
      state: "warning",
      found: expect.stringContaining(found),
    });
  });
});

describe("the embedded database", () => {
  test("sends payouts with the application's role, in a new folder and in one that had a single role", async () => {
    const folder = scratch();
    chmodSync(folder, 0o755);
    const dataFolder = join(folder, "data");
    const addresses = await startEmbedded(dataFolder);
    // As an older payrun has left it.
    await opened(addresses.ownerUrl, (database) => migrate(database));
    await addJob(addresses.ownerUrl);

    const gateway = await startSimulator({ settleMs: 50 });
    const env = {
      ...FAST,
      PAYRUN_DATA: dataFolder,
      GATEWAY_URL: gateway.url,
      MERCHANTS_FILE: merchantsFile(folder),
    };
    const { path, totals } = makeFile(folder, [{}, {}]);
    const paid = await runPayrun(["pay", path, ...totals], env);
    expect(paid.stderr).not.toMatch(/permission denied/);
    expect(paid.code).toBe(0);
    const states = await query(
      addresses.ownerUrl,
      "select state, count(*)::int as n from payouts group by 1",
    );
    expect(states).toEqual([{ state: "settled", n: 2 }]);

    expect(await opened(addresses.url, ledgerRole)).toMatchObject({
      name: "payrun_app",
      powers: [],
      exceeds: [],
    });
    await expect(asIs(addresses.url, "alter table batches disable trigger all")).rejects.toThrow(
      "must be owner",
    );
    await gateway.stop();
  });
});
