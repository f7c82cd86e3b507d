import { NOT_RAW, NULL_TEXT } from "#payout/rules/layout-limits.ts";
import { err, ok, type Result } from "#base/result.ts";
import { parseObject } from "./json.ts";
import type { Escaping, Layout, Endpoint } from "./endpoints.ts";

/** The fields of one message, in the order in which they are written. Every value is text. */
export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * The reason why a message cannot be written, and the field that causes it. It never contains the
 * value.
 */
export interface LayoutProblem {
  readonly field: string;
  readonly problem: string;
}

export interface LayoutSettings {
  readonly layout: Layout;
  readonly escaping: Escaping;
}

type Shape = Pick<Endpoint, "numbers" | "verbatim">;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const NOT_VERBATIM = /[&\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Encodes a message, then decodes its own text and compares: only a text that matches is sent. The
 * error names the field and what the layout cannot carry.
 */
export function encode(
  fields: Fields,
  shape: Shape,
  settings: LayoutSettings,
): Result<string, LayoutProblem> {
  const text =
    settings.layout === "json" ? writeJson(fields, shape) : writePairs(fields, shape, settings);
  if (!text.ok) return text;

  const read = decode(text.value, shape, settings);
  const field = read.ok ? firstDifference(fields, read.value) : "";
  if (field === null) return text;
  return err({ field, problem: "cannot be encoded without being changed" });
}

/**
 * Decodes a message. A repeated name, a nested value or an invalid escape makes all of it
 * unreadable.
 */
export function decode(
  text: string,
  shape: Shape,
  settings: LayoutSettings,
): Result<Map<string, string>, "unreadable"> {
  return settings.layout === "json" ? readJson(text) : readPairs(text, shape, settings.escaping);
}

function writePairs(
  fields: Fields,
  shape: Shape,
  { escaping }: LayoutSettings,
): Result<string, LayoutProblem> {
  let text = "";
  for (const [field, value] of fields) {
    const verbatim = shape.verbatim.includes(field);
    const problem = unfitForPairs(value, verbatim, escaping);
    if (problem) return err({ field, problem });
    const written = escaping === "percent" && !verbatim ? encodeURIComponent(value) : value;
    text += `${text === "" ? "" : "&"}${field}=${written}`;
  }
  return ok(text);
}

function unfitForPairs(value: string, verbatim: boolean, escaping: Escaping): string | null {
  if (!value.isWellFormed()) return "contains an incomplete character";
  if (value === NULL_TEXT) return 'is the word "null", which the gateway treats as an empty value';
  if (verbatim) {
    return NOT_VERBATIM.test(value) ? "contains & or a control character" : null;
  }
  if (escaping === "none" && NOT_RAW.test(value)) {
    return "contains &, =, %, + or a line break, which the name=value format does not support";
  }
  return null;
}

function readPairs(
  text: string,
  shape: Shape,
  escaping: Escaping,
): Result<Map<string, string>, "unreadable"> {
  const fields = new Map<string, string>();
  const pairs = text.split("&");
  for (const pair of pairs) {
    const split = pair.indexOf("=");
    if (split < 1) return err("unreadable");
    const name = pair.slice(0, split);
    let value = pair.slice(split + 1);
    if (escaping === "percent" && value.includes("%") && !shape.verbatim.includes(name)) {
      try {
        value = decodeURIComponent(value);
      } catch {
        return err("unreadable");
      }
    }
    fields.set(name, value);
  }
  return fields.size === pairs.length ? ok(fields) : err("unreadable");
}

function writeJson(fields: Fields, shape: Shape): Result<string, LayoutProblem> {
  let text = "";
  for (const [field, value] of fields) {
    if (!value.isWellFormed()) return err({ field, problem: "contains an incomplete character" });
    const isNumber = shape.numbers.includes(field);
    if (isNumber && !NUMBER.test(value)) return err({ field, problem: "is not a plain number" });
    // The digits are written unchanged: a JavaScript number could alter them.
    text += `${text === "" ? "" : ","}${JSON.stringify(field)}:${isNumber ? value : JSON.stringify(value)}`;
  }
  return ok(`{${text}}`);
}

function readJson(text: string): Result<Map<string, string>, "unreadable"> {
  const parsed = parseObject(text);
  if (parsed === null) return err("unreadable");

  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(parsed)) {
    // The documentation's sample shows an unused field as null, which equals an absent field.
    if (value === null) continue;
    if (typeof value !== "string") return err("unreadable");
    fields.set(name, value);
  }
  return ok(fields);
}

function firstDifference(fields: Fields, read: ReadonlyMap<string, string>): string | null {
  for (const [name, value] of fields) if (read.get(name) !== value) return name;
  return read.size === fields.length ? null : "";
}
