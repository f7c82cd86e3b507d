import { once } from "node:events";
import { chmodSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSetup, type Setup } from "../../support/journey.ts";
import { freshDatabase } from "../../support/ledger.ts";
import { merchantsFile, runHere, runPayrun } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await startSetup("redis");
});
afterAll(() => setup.stop());

test("F17 reports in doctor when Redis may evict jobs, and no failure otherwise", async () => {
  const examine = async () => {
    const { code: ended, stdout } = await runHere(["doctor", "--json"], setup.env);
    const findings = JSON.parse(stdout) as { name: string; state: string }[];
    const broken = findings.filter(({ state }) => state === "broken").map(({ name }) => name);
    return { ended, findings, broken };
  };
  const redis = new Redis(setup.redis?.url ?? "");
  await redis.config("SET", "maxmemory-policy", "allkeys-lru");
  expect((await examine()).broken).toEqual(["eviction"]);
  await redis.config("SET", "maxmemory-policy", "noeviction");
  redis.disconnect();
  const { findings, broken, ended } = await examine();
  expect(broken).toEqual([]);
  expect(ended).toBe(0);
  const names = findings.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["database", "queue", "eviction", "gateway", "clock"]),
  );
});

test.each([
  {
    name: "a replica",
    harm: (redis: Redis) => redis.replicaof("127.0.0.1", "9"),
    mend: (redis: Redis) => redis.replicaof("NO", "ONE"),
    found: / is a replica, which does not accept jobs$/,
  },
  {
    name: "full",
    harm: (redis: Redis) => redis.config("SET", "maxmemory", "1000"),
    mend: (redis: Redis) => redis.config("SET", "maxmemory", "0"),
    found: / is full and does not accept jobs: \d+ of 1000 bytes are used$/,
  },
  {
    name: "full, though it evicts",
    harm: (redis: Redis) =>
      redis.config("SET", "maxmemory", "1000", "maxmemory-policy", "volatile-lru"),
    mend: (redis: Redis) => redis.config("SET", "maxmemory", "0", "maxmemory-policy", "noeviction"),
    found: / does not accept jobs: OOM/,
    advice: "increase the queue server's maxmemory, or find out what else is using the memory",
  },
  {
    name: "closed to payrun's keys",
    harm: (redis: Redis) => redis.call("ACL", "SETUSER", "default", "resetkeys", "~others:*"),
    mend: (redis: Redis) => redis.call("ACL", "SETUSER", "default", "allkeys"),
    found: / does not accept jobs: .*NOPERM/,
  },
])(
  "F18 reports a Redis that accepts no jobs because it is $name",
  async ({ harm, mend, found, advice }) => {
    const redis = new Redis(setup.redis?.url ?? "");
    await harm(redis);
    const { code, stdout } = await runHere(["doctor", "--json"], setup.env);
    await mend(redis);
    redis.disconnect();
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    expect(code).toBe(9);
    expect(findings.find(({ name }) => name === "queue")).toMatchObject({
      state: "broken",
      found: expect.stringMatching(found),
      ...(advice === undefined ? {} : { advice }),
    });
  },
);

test("reports a new ledger as new in doctor", async () => {
  const env = { ...setup.env, DATABASE_URL: await freshDatabase() };
  const ledgerIn = async () => {
    const { stdout } = await runHere(["doctor", "--json"], env);
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    return findings.find(({ name }) => name === "ledger");
  };
  expect(await ledgerIn()).toMatchObject({
    state: "warning",
    found: expect.stringMatching(/^A new, empty ledger was created in the database\./),
  });
  expect(await ledgerIn()).toMatchObject({
    state: "ok",
    found: expect.stringContaining("matches the last recorded epoch"),
  });
});

test.each([
  {
    name: "has a migration that this version does not know",
    change:
      "insert into payrun.migrations (number, name, checksum, version) values (9999, '9999-to-come.sql', '', '7.1.0')",
    found:
      /^A newer version of payrun .*9999-to-come\.sql, run by payrun 7\.1\.0\. No changes were made/,
    advice: /^start the newer version/,
  },
  {
    name: "has a migration with another checksum",
    change: "update payrun.migrations set checksum = '', version = '7.1.0' where number = 2",
    found:
      /^A different version of payrun .*0002-.*\.sql, run by payrun 7\.1\.0\. No changes were made/,
    advice: /^start that version, which is probably newer/,
  },
])(
  "F101 names the newer version in doctor and serve when the ledger $name",
  async ({ change, found, advice }) => {
    const env = { ...setup.env, DATABASE_URL: await freshDatabase() };
    const ended = await runHere(["doctor", "--json"], env);
    expect(ended.code).toBe(0);
    await query(env.DATABASE_URL, change);
    const { code, stdout } = await runHere(["doctor", "--json"], env);
    const [first] = JSON.parse(stdout) as { name: string; found: string; advice: string }[];
    expect(code).toBe(9);
    expect(first?.found).toMatch(found);
    expect(first?.advice).toMatch(advice);
    expect(`${first?.found} ${first?.advice}`).not.toMatch(/DATABASE_URL|PAYRUN_KEY/);

    for (const command of ["serve", "worker"]) {
      const started = await runHere([command], env);
      expect(started.code).toBe(6);
      expect(started.stderr).toMatch(found);
      expect(started.stderr).toContain(first?.advice);
      expect(started.stderr).not.toMatch(/DATABASE_URL|PAYRUN_KEY/);
    }
  },
);

test("reports a lost key in doctor without suggesting another ledger", async () => {
  const { DATABASE_URL: _url, PAYRUN_KEY: _key, ...env } = setup.env as Record<string, string>;
  const place = join(setup.folder, "embedded");
  mkdirSync(join(place, "pg"), { recursive: true });
  const { code, stdout } = await runHere(["doctor", "--json"], { ...env, PAYRUN_DATA: place });
  const findings = JSON.parse(stdout) as { name: string; found: string; advice: string }[];
  expect(code).toBe(2);
  expect(findings[0]).toMatchObject({
    name: "configuration",
    found: expect.stringContaining(`${place}/key`),
  });
  expect(findings[0]?.advice).not.toContain("DATABASE_URL");
});

test("distinguishes wrong credentials, a configuration error, from a gateway that does not answer", async () => {
  const broken = async (env: Readonly<Record<string, string>>) => {
    const { code: ended, stdout } = await runHere(["doctor", "--json"], { ...setup.env, ...env });
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    const [first] = findings.filter(({ state }) => state === "broken");
    return { ended, name: first?.name, found: first?.found };
  };
  const wrong = merchantsFile(setup.folder, (entry) => ({ ...entry, api_secret: "bm90IGl0" }));
  expect(await broken({ MERCHANTS_FILE: wrong })).toEqual({
    ended: 2,
    name: expect.stringMatching(/^credentials of SKU/),
    found: expect.stringMatching(/^the gateway rejected a status query: .*error code 11[58]$/),
  });
  for (const [status, message] of [
    [500, "Server Error"],
    [404, "The route api/v1/x/transactions/status could not be found."],
    [404, "Not Found"],
    [200, "Merchant not found"],
  ] as const) {
    const failing = createServer((_request, response) => {
      response.writeHead(status).end(JSON.stringify({ success: false, data: [], message }));
    }).listen(0, "127.0.0.1");
    await once(failing, "listening");
    const { port } = failing.address() as AddressInfo;
    expect(await broken({ GATEWAY_URL: `http://127.0.0.1:${port}` })).toEqual({
      ended: 9,
      name: expect.stringMatching(/^status query of SKU/),
      found: `the gateway returned an unusable response to a status query: HTTP ${status}: ${message}`,
    });
    failing.close();
  }
});

test("F113 warns in doctor about a gateway without TLS on another machine", async () => {
  const warnings = async (host: string) => {
    const url = setup.gateway.url.replace("127.0.0.1", host);
    const allowed = { GATEWAY_ALLOW_HTTP: "yes", RESEND_AFTER_MS: "900000" };
    const env = { ...setup.env, ...allowed, GATEWAY_URL: url };
    const { stdout } = await runPayrun(["doctor", "--json"], env);
    const findings = JSON.parse(stdout) as { name: string; state: string }[];
    return findings.filter(({ name }) => name === "gateway TLS").map(({ state }) => state);
  };
  // An address of this machine that is not recognised as local.
  expect(await warnings("0.0.0.0")).toEqual(["warning"]);
  expect(await warnings("127.0.0.1")).toEqual([]);
});

test("checks a configured watched folder in doctor", async () => {
  const folder = async (root: string) => {
    const { code: ended, stdout } = await runHere(["doctor", "--json"], {
      ...setup.env,
      WATCH_FOLDER: root,
    });
    const findings = JSON.parse(stdout) as { name: string; state: string }[];
    return [ended, findings.find(({ name }) => name === "watched folder")?.state];
  };
  expect(await folder(setup.folder)).toEqual([0, "ok"]);
  expect(await folder(`${setup.folder}/gone`)).toEqual([2, "broken"]);
});

test("warns in doctor about a credentials file that other users of the machine can read", async () => {
  const path = merchantsFile(setup.folder);
  const secrets = async (mode: number) => {
    chmodSync(path, mode);
    const { stdout } = await runHere(["doctor", "--json"], { ...setup.env, MERCHANTS_FILE: path });
    const findings = JSON.parse(stdout) as { name: string; found: string; advice: string }[];
    return findings.filter(({ name }) => name === "secrets");
  };
  expect(await secrets(0o600)).toEqual([]);
  expect(await secrets(0o640)).toEqual([
    {
      name: "secrets",
      state: "warning",
      found: `${path} is accessible to other users on this machine: expected mode 600, found 640`,
      advice: `chmod 600 ${path}`,
    },
  ]);
});

test("warns in doctor about connections without TLS to other hosts that ALLOW_PLAINTEXT permits", async () => {
  const urls = {
    DATABASE_URL: "postgres://u:hunter2@db.invalid/payrun",
    REDIS_URL: "redis://:hunter2@cache.invalid:6379",
    SMTP_URL: "smtp://u:hunter2@mail.invalid:587",
  };
  const examined = async (env: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await runHere(["doctor", "--json"], { ...setup.env, ...env });
    expect(stdout + stderr).not.toContain("hunter2");
    return { code, stdout, stderr };
  };
  const plaintext = async (env: Readonly<Record<string, string>>) => {
    const { stdout } = await examined({ ...env, ALLOW_PLAINTEXT: "yes" });
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    return findings.filter(({ name }) => name in urls);
  };
  const found =
    "this connection leaves your network without verified TLS, because ALLOW_PLAINTEXT=yes is set";
  expect(await plaintext(urls)).toEqual([
    { name: "DATABASE_URL", state: "warning", found, advice: expect.stringContaining("sslmode") },
    { name: "REDIS_URL", state: "warning", found, advice: expect.stringContaining("rediss://") },
    { name: "SMTP_URL", state: "warning", found, advice: expect.stringContaining("smtps://") },
  ]);
  // Addresses of this machine, as everywhere in these tests.
  expect(await plaintext({ SMTP_URL: "smtp://u:hunter2@127.0.0.1:25" })).toEqual([]);
  const refused = await examined(urls);
  expect(refused.code).toBe(2);
  for (const name of Object.keys(urls)) {
    expect(refused.stderr).toContain(`${name} connects outside your network without verified TLS`);
  }
});
