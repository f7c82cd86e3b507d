/**
 * Connections that leave the local network need TLS with server verification, unless plaintext is
 * explicitly allowed.
 */
import { expect, test } from "vitest";
import { readConfig } from "#app/config.ts";
import { findUnprotected } from "#app/transport-security.ts";

const SECRET = "hunter2";

type Named = readonly [
  name: "DATABASE_URL" | "DATABASE_OWNER_URL" | "REDIS_URL" | "SMTP_URL",
  url: string,
];

test.each<Named>([
  ["DATABASE_URL", "postgres://u:hunter2@127.0.0.1/payrun"],
  ["DATABASE_URL", "postgres://u:hunter2@postgres:5432/payrun"],
  ["DATABASE_URL", "postgres://u:hunter2@10.0.0.5/payrun"],
  ["DATABASE_URL", "postgres:///payrun?host=/var/run/postgresql"],
  ["DATABASE_URL", "postgres://u:hunter2@db.example/payrun?sslmode=verify-full"],
  ["DATABASE_URL", "postgres://u:hunter2@db.example/payrun?sslmode=require"],
  ["REDIS_URL", "redis://:hunter2@valkey:6379"],
  ["REDIS_URL", "rediss://:hunter2@cache.example"],
  ["REDIS_URL", "redis+sentinel://:hunter2@10.0.0.1,sentinel-2,[fd00::1]/payrun"],
  ["REDIS_URL", "rediss+sentinel://:hunter2@10.0.0.1,s2.example/payrun"],
  ["REDIS_URL", "redis+cluster://:hunter2@10.0.0.1:7000,10.0.0.2:7000"],
  ["REDIS_URL", "rediss://:hunter2@a.example,b.example"],
  ["SMTP_URL", "smtp://u:hunter2@localhost:25"],
  ["SMTP_URL", "smtps://u:hunter2@mail.example"],
  ["SMTP_URL", "smtp://u:hunter2@mail.example:587?requireTLS=true"],
])("accepts %s %s", (name, url) => {
  expect(readConfig({ [name]: url })[name]).toBeDefined();
});

test.each<Named>([
  ["DATABASE_URL", "postgres://u:hunter2@db.example/payrun"],
  ["DATABASE_OWNER_URL", "postgres://u:hunter2@db.example/payrun"],
  ["DATABASE_URL", "postgres://u:hunter2@db.example/payrun?sslmode=disable"],
  ["DATABASE_URL", "postgres://u:hunter2@db.example/payrun?sslmode=no-verify"],
  ["DATABASE_URL", "postgres://u:hunter2@localhost/payrun?host=db.example"],
  ["DATABASE_URL", "postgres://u:hunter2@[::ffff:8.8.8.8]/payrun"],
  ["REDIS_URL", "redis://:hunter2@cache.example"],
  ["REDIS_URL", "redis+sentinel://:hunter2@10.0.0.1,s2.example,10.0.0.3/payrun"],
  ["REDIS_URL", "redis+cluster://:hunter2@10.0.0.1:7000,[2001:db8::1]:7000"],
  ["REDIS_URL", "valkey://:hunter2@a.internal,b.example"],
  ["SMTP_URL", "smtp://u:hunter2@mail.example:587"],
  ["SMTP_URL", "smtps://u:hunter2@mail.example?tls.rejectUnauthorized=false"],
])("refuses %s %s unless it is allowed", (name, url) => {
  const read = (more: Record<string, string> = {}) => readConfig({ [name]: url, ...more });
  expect(() => read()).toThrow(`${name} connects outside your network without verified TLS`);
  expect(() => read()).not.toThrow(SECRET);
  expect(read({ ALLOW_PLAINTEXT: "yes" })[name]).toBeDefined();
  expect(findUnprotected({ [name]: url })).toMatchObject([{ name }]);
});

test("treats TLS without certificate verification as unprotected", () => {
  const settings = { REDIS_URL: "rediss://cache.example", NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  expect(() => readConfig(settings)).toThrow("REDIS_URL connects outside your network");
});

const hex = (at: (place: number) => number) =>
  Buffer.from(Array.from({ length: 32 }, (_, place) => at(place))).toString("hex");

test.each([
  ["zeros", hex(() => 0)],
  ["ones", hex(() => 255)],
  ["a pattern", "deadbeef".repeat(8)],
  ["a long pattern", "0123456789abcdef".repeat(4)],
  ["a sequence", hex((place) => place)],
  ["a sequence downwards", hex((place) => 255 - place * 3)],
  ["a text", Buffer.from("correct horse battery staple 123").toString("base64")],
  ["digits of a password", Buffer.from("Pa55w0rd!Pa55w0rd!Pa55w0rd!12345").toString("hex")],
])("refuses a PAYRUN_KEY of %s", (_what, key) => {
  expect(() => readConfig({ PAYRUN_KEY: key })).toThrow("PAYRUN_KEY must be 32 random bytes");
});

test("accepts random keys", () => {
  for (let count = 0; count < 1_000; count += 1) {
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
    expect(readConfig({ PAYRUN_KEY: key }).PAYRUN_KEY?.reveal()).toBe(key);
  }
});
