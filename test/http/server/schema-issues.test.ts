/**
 * Messages for a request that does not match the API description, for people, in every operation.
 */
import { expect, test } from "vitest";
import { z } from "zod";
import { API } from "#api/api.ts";
import { describeIssue, describeRequirement } from "#base/schema-issues.ts";
import { LimitTerms } from "#api/approval/payout-limits.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { ScheduleInput } from "#schedule/schedule.ts";

/** "limits.0.amount: an amount such as 1000": one line per problem. */
const told = (schema: z.ZodType, given: unknown): string[] =>
  (schema.safeParse(given, { error: describeIssue }).error?.issues ?? []).map(({ path, message }) =>
    [path.join("."), message].filter(Boolean).join(": "),
  );

test.each([
  [z.string(), 5, "text"],
  [z.string(), undefined, "is missing: text"],
  [z.number(), Number.NaN, "a number"],
  [z.int(), 1.5, "a whole number"],
  [z.int().min(1), 0, "at least 1"],
  [z.number().positive(), 0, "more than 0"],
  [z.number().max(720), 721, "at most 720"],
  [z.string().min(3), "ab", "at least 3 characters"],
  [z.string().min(1), "", "at least 1 character"],
  [z.array(z.int()).min(1), [], "at least 1 entry"],
  [z.array(z.int()).max(2), [1, 2, 3], "at most 2 entries"],
  [z.email(), "asha", "an e-mail address such as asha@example.com"],
  [
    z.union([z.iso.date(), z.iso.datetime()]),
    "soon",
    "a date such as 2026-12-31, or a time in UTC such as 2026-12-31T09:00:00Z",
  ],
  [z.enum(["warn", "refuse"]), "stop", "one of warn, refuse"],
  [z.enum(["warn", "refuse"]), undefined, "is missing: one of warn, refuse"],
  [z.strictObject({}), { a: 1 }, "unknown name: a"],
  [z.strictObject({}), { "a\u001b[1A": 1 }, "unknown name: a\\u{1b}[1A"],
  [z.string().regex(/^x$/, "the letter x"), "y", "the letter x"],
])("%# states the expected value", (schema, given, words) => {
  expect(told(schema, given)).toEqual([words]);
});

test.each([
  [z.string(), 5, "must be text"],
  [z.string().min(3), "ab", "must have at least 3 characters"],
  [z.number().max(720), 721, "must be at most 720"],
  [z.string(), undefined, "is missing: text"],
  [z.strictObject({}), { a: 1 }, "unknown name: a"],
  [z.union([z.number(), z.null()]), "x", "must be a number, or must be null"],
  // The expected value begins like a requirement.
  [z.literal("must read"), "x", "must be must read"],
  [z.literal("unknown name"), "x", "must be unknown name"],
])("%# states the requirement for a field of a request", (schema, given, words) => {
  const { error } = schema.safeParse(given, { error: describeRequirement });
  expect(error?.issues.map(({ message }) => message)).toEqual([words]);
});

test("states the location of the expected value", () => {
  const calendar = { rule: { every: "yearly" }, time: "9", zone: "Asia/Kolkata" };
  expect(told(ScheduleInput, { name: "ab", list: "B1", calendar, lead_hours: 721 })).toEqual([
    "name: at least 3 characters",
    "calendar.rule.every: one of once, day, week, month, month_end, last_working_day",
    "calendar.time: a time such as 09:00",
    "lead_hours: at most 720",
  ]);
  const limits = [{ scope: "day", currency: "INR", amount: "x", hard: true }];
  expect(told(LimitTerms, { zone: "Asia/Kolkata", when_short: "warn", limits })).toEqual([
    "limits.0.amount: an amount such as 1000 or 1000.50",
  ]);
});

const WRONG = [undefined, null, true, -1.5, 1e300, "", "\u001b", "x".repeat(20_000), [], {}];
const OF_ZOD =
  /Invalid|Too (?:big|small)|expected|received|Unrecognized|undefined|NaN|another value/;

/** The whole schema with a wrong value, and each of its fields. */
const wrongly = (schema: z.ZodType): unknown[] => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const fields = names.flatMap((name) => WRONG.map((value) => ({ [name]: value })));
  return [...WRONG, { unheard_of: 1 }, ...fields];
};

test.each(Object.entries<ApiOperation>(API))("%s uses no zod wording", (_name, operation) => {
  const schemas = [operation.params, operation.query, operation.body].filter((each) => !!each);
  const lines = schemas.flatMap((schema) => wrongly(schema).flatMap((each) => told(schema, each)));
  // Without the name of the field, which may be one of the words.
  const messages = lines.map((line) => line.replace(/^[a-z_]+: /, ""));
  expect(messages.filter((message) => OF_ZOD.test(message))).toEqual([]);
});
