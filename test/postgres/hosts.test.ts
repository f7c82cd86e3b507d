import { expect, test } from "vitest";
import { databaseHosts, isDatabaseAddress, seeksPrimary } from "#postgres/hosts.ts";
import { choosePrimary } from "#postgres/primary.ts";

test.each([
  ["postgres://u:p@db/x", ["db:5432"], false],
  ["postgres://u:p@db:6543/x?sslmode=verify-full", ["db:6543"], false],
  ["postgres://u:p@a:1,b:2,c/x?sslmode=verify-full", ["a:1", "b:2", "c:5432"], true],
  ["postgresql://u:p%40x@[::1]:5433,b/x", ["[::1]:5433", "b:5432"], true],
  ["postgres:///x?host=a,b&port=1,2", ["a:1", "b:2"], true],
  ["postgres:///x?host=a,b&port=7", ["a:7", "b:7"], true],
  ["postgres:///x?host=/run/postgresql", ["/run/postgresql:5432"], false],
  ["postgres://u:p@db/x?target_session_attrs=read-write", ["db:5432"], true],
] as const)("reads the hosts of %s", (address, names, seeks) => {
  expect(databaseHosts(address).map(({ name }) => name)).toEqual(names);
  expect(seeksPrimary(address)).toBe(seeks);
  expect(isDatabaseAddress(address)).toBe(true);
});

test("keeps user, password, database and settings for each host", () => {
  expect(
    databaseHosts("postgres://u:p%2C@a:1,b:2/x?sslmode=require").map(({ url }) => url),
  ).toEqual(["postgres://u:p%2C@a:1/x?sslmode=require", "postgres://u:p%2C@b:2/x?sslmode=require"]);
});

test.each([
  "mysql://a/x",
  "postgres://u:p@a:1,,b:2/x",
  "postgres://u:p@a:1,b:port/x",
  "postgres://u:p@a,b/x?host=c,d",
  "postgres:///x?host=a,b&port=1,2,3",
  "postgres://u:p@a,b/x?target_session_attrs=any",
  "postgres://u:p@a,b/x?target_session_attrs=standby",
])("refuses %s", (address) => {
  expect(isDatabaseAddress(address)).toBe(false);
});

const hostOf = (name: string) => ({ url: `postgres://${name}/x`, name });
const primary = (name: string, timeline: number, cluster = "1") => ({
  host: hostOf(name),
  primary: { timeline, cluster },
});

test("chooses the only host that accepts writes", () => {
  const answers = [{ host: hostOf("a"), failure: "refused" }, primary("b", 2)];
  expect(choosePrimary([...answers, { host: hostOf("c"), primary: null }], null)).toMatchObject({
    host: { name: "b" },
  });
});

test("chooses the later timeline of two primaries of one cluster", () => {
  const answers = [primary("a", 1), primary("b", 2)];
  expect(choosePrimary(answers, null).host.name).toBe("b");
});

test("never returns to an older timeline of the same cluster", () => {
  expect(() => choosePrimary([primary("a", 1)], { timeline: 2, cluster: "1" })).toThrow(
    "a (an old primary, which another host has replaced)",
  );
});

test.each([
  ["on one timeline", [primary("a", 1), primary("b", 1)]],
  ["of two clusters", [primary("a", 1), primary("b", 2, "2")]],
])("refuses two primaries %s", (_, answers) => {
  expect(() => choosePrimary(answers, null)).toThrow("two hosts of the database accept writes");
});

test("names every host and its state when none accepts writes", () => {
  const answers = [
    { host: hostOf("a"), failure: "connect ECONNREFUSED" },
    { host: hostOf("b"), primary: null },
  ];
  expect(() => choosePrimary(answers, null)).toThrow(
    "no host of the database accepts writes: a (connect ECONNREFUSED), b (read-only)",
  );
});
