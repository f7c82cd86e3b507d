import type { z } from "zod";
import { visible } from "#base/invisible-characters.ts";

/** Descriptions of the expected value, by zod type. */
const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const FORMATS: Readonly<Record<string, string>> = {
  email: "an e-mail address such as asha@example.com",
  url: "a URL such as https://example.com/payouts",
  date: "a date such as 2026-12-31",
  datetime: "a time in UTC such as 2026-12-31T09:00:00Z",
  uuid: "a UUID",
};
const UNITS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

/** Formats a size: with a unit for a text or a list, without one for a number. */
function sizeText(size: number | bigint, origin: string): string {
  const [one, several] = UNITS[origin] ?? [];
  const unit = Number(size) === 1 ? one : several;
  return unit === undefined ? `${size}` : `${size} ${unit}`;
}

/**
 * Replaces zod's messages if a schema has none of its own: describes the expected value in plain
 * words. The value found is not repeated, because it may be an account.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  const expected = expectedBy(issue);
  return isMissing(issue) ? `is missing: ${expected}` : expected;
}

const isMissing = ({ input, code }: z.core.$ZodRawIssue): boolean =>
  input === undefined && code !== "unrecognized_keys";

/** Describes the same as a requirement, for requests: "must be text". */
export function describeRequirement(issue: z.core.$ZodRawIssue): string {
  const expected = describeIssue(issue);
  // The alternatives of a union are described as requirements themselves.
  const areRequirements = issue.code === "invalid_union" && !Array.isArray(issue.options);
  if (isMissing(issue) || issue.code === "unrecognized_keys" || areRequirements) return expected;
  const isSize = issue.code === "too_small" || issue.code === "too_big";
  return `must ${isSize && issue.origin in UNITS ? "have" : "be"} ${expected}`;
}

function expectedBy(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "invalid_value": {
      const [only, ...others] = issue.values;
      return others.length === 0 ? String(only) : `one of ${issue.values.join(", ")}`;
    }
    case "too_small":
      return `${issue.inclusive === false ? "more than" : "at least"} ${sizeText(issue.minimum, issue.origin)}`;
    case "too_big":
      return `${issue.inclusive === false ? "less than" : "at most"} ${sizeText(issue.maximum, issue.origin)}`;
    case "invalid_format":
      return FORMATS[issue.format] ?? `text that matches ${issue.pattern ?? issue.format}`;
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `unknown name: ${issue.keys.map(visible).join(", ")}`;
    case "invalid_union": {
      if (Array.isArray(issue.options)) return `one of ${issue.options.join(", ")}`;
      const ways = issue.errors.flatMap((each) => each.map(({ message }) => message));
      return [...new Set(ways)].join(", or ");
    }
    case "custom":
    case "invalid_key":
    case "invalid_element":
      return "a valid value";
  }
}

/** Describes the value found. Only its type is named if it may be secret. */
export function describeFound(input: unknown, isShown: boolean): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return input.length === 0 ? "an empty list" : "a list";
  if (input === "") return "an empty value";
  if (isShown && typeof input === "string") return `"${visible(input)}"`;
  return FOUND[typeof input] ?? "nothing";
}

const FOUND: Readonly<Record<string, string>> = {
  string: "different text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
};

const INVALID_ENTRY = "contains an invalid entry, ";

/** Reports one invalid entry of a list setting by name, instead of the whole list. */
export const wrongEntry = (entry: string, expected: string) => ({
  code: "custom" as const,
  message: `${INVALID_ENTRY}${describeFound(entry.trim(), true)}: ${expected}`,
});

/** Returns whether this message already names the entry that it is about. */
export const isEntryNamed = (message: string): boolean => message.startsWith(INVALID_ENTRY);
