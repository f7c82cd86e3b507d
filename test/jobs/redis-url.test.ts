import { describe, expect, test } from "vitest";
import { prefixOf } from "#jobs/redis.ts";
import { retryDelayMs } from "#jobs/redis-client.ts";
import { hostsText, parseRedisUrl } from "#jobs/redis-url.ts";

const PASSWORD = "hunter2";

test.each([
  {
    name: "one server",
    url: "redis://payrun:hunter2@cache.example:6380/2?family=6",
    value: {
      kind: "single",
      hosts: [{ host: "cache.example", port: 6380 }],
      isTls: false,
      username: "payrun",
      password: PASSWORD,
      url: "redis://payrun:hunter2@cache.example:6380/2?family=6",
    },
  },
  {
    name: "one Valkey over TLS, with its standard port",
    url: "valkeys://:hunter2@[2001:db8::1]",
    value: {
      kind: "single",
      hosts: [{ host: "2001:db8::1", port: 6379 }],
      isTls: true,
      username: null,
      password: PASSWORD,
      url: "rediss://:hunter2@[2001:db8::1]",
    },
  },
  {
    name: "sentinels, with a login of their own",
    url: "redis+sentinel://payrun:hun%40ter@s1.example,s2.example:5000,[::1]:7/payrun-queue?db=3&sentinelUsername=watch&sentinelPassword=hunter2",
    value: {
      kind: "sentinel",
      hosts: [
        { host: "s1.example", port: 26_379 },
        { host: "s2.example", port: 5000 },
        { host: "::1", port: 7 },
      ],
      isTls: false,
      username: "payrun",
      password: "hun@ter",
      name: "payrun-queue",
      db: 3,
      sentinel: { username: "watch", password: PASSWORD },
    },
  },
  {
    name: "sentinels over TLS without a login",
    url: "rediss+sentinel://s1.example/main",
    value: {
      kind: "sentinel",
      hosts: [{ host: "s1.example", port: 26_379 }],
      isTls: true,
      username: null,
      password: null,
      name: "main",
      db: 0,
      sentinel: { username: null, password: null },
    },
  },
  {
    name: "a cluster by one of its nodes",
    url: "rediss+cluster://:hunter2@cache.example:7000",
    value: {
      kind: "cluster",
      hosts: [{ host: "cache.example", port: 7000 }],
      isTls: true,
      username: null,
      password: PASSWORD,
    },
  },
  {
    name: "a cluster by several hosts",
    url: "redis://10.0.0.1:7000,10.0.0.2:7001/0",
    value: {
      kind: "cluster",
      hosts: [
        { host: "10.0.0.1", port: 7000 },
        { host: "10.0.0.2", port: 7001 },
      ],
      isTls: false,
      username: null,
      password: null,
    },
  },
])("reads $name", ({ url, value }) => {
  expect(parseRedisUrl(url)).toEqual({ ok: true, value });
});

test.each([
  ["hunter2", "must be redis://host:port, redis+sentinel://"],
  ["http://cache.example/hunter2", "must be redis://host:port"],
  ["redis+sentry://cache.example/hunter2", "must be redis://host:port"],
  ["redis://", "at place 1 of its hosts"],
  ["redis://:hunter2@", "at place 1 of its hosts"],
  ["redis+cluster://:hunter2@a.example,:7000", "at place 2 of its hosts"],
  ["redis+cluster://a.example:0,:hunter2", "at place 1 of its hosts"],
  ["redis+cluster://a.example:65536", "a port from 1 to 65535"],
  ["redis+cluster://hunter2:a:b", "at place 1 of its hosts"],
  ["redis+cluster://:hun@ter2@a.example", "write @, /, ? and # in a user name or password as %40"],
  ["redis+cluster://:hunter%@a.example", '"%" in a user name or password written as %25'],
  ["redis+cluster://:hunter2@a.example/1", "a cluster has only database 0"],
  ["redis://a.example,b.example/hunter2", "a cluster has only database 0"],
  ["redis+cluster://a.example?password=hunter2", 'must not have options after "?"'],
  ["redis+sentinel://:hunter2@a.example", "must end with the name of the primary"],
  ["redis+sentinel://:hunter2@a.example/", "must end with the name of the primary"],
  [
    "redis+sentinel://a.example/main?hunter2=1",
    'only these options after "?": db, sentinelUsername',
  ],
  ["redis+sentinel://a.example/main?db=hunter2", "the number of a database in ?db="],
  ["redis://:hunter2@a.example/main", 'the name of a primary needs "redis+sentinel"'],
])("refuses %s and says what is expected, without a secret", (url, says) => {
  const read = parseRedisUrl(url);
  const problem = read.ok ? "" : read.error;
  expect(problem).toContain(says);
  expect(problem).not.toContain("hunter");
});

test("names hosts without their login", () => {
  const read = parseRedisUrl("redis+cluster://u:hunter2@[::1]:7000,cache.example");
  expect(read.ok && hostsText(read.value)).toBe("[::1]:7000, cache.example:6379");
});

describe("the keys of the queues", () => {
  const QUEUES = ["submit", "resolve", "callback", "deposit", "tick"].map(
    (name) => `payrun-${name}`,
  );

  test("have a slot for each queue in a cluster, and one prefix elsewhere", () => {
    const prefixes = (kind: "single" | "sentinel" | "cluster") =>
      QUEUES.map((queue) => prefixOf(queue, { kind }));
    expect(new Set(prefixes("single"))).toEqual(new Set(["{payrun}"]));
    expect(new Set(prefixes("sentinel"))).toEqual(new Set(["{payrun}"]));
    expect(prefixes("cluster")[0]).toBe("{payrun:submit}");
    expect(new Set(prefixes("cluster")).size).toBe(QUEUES.length);
  });
});

test("waits longer after each failed connection, up to half a second, and never the same time", () => {
  const never = () => 0;
  expect([1, 2, 3, 4, 5, 50].map((attempts) => retryDelayMs(attempts, never))).toEqual([
    100, 200, 400, 500, 500, 500,
  ]);
  expect(retryDelayMs(5, () => 0.999)).toBe(400);
});
