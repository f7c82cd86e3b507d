import { z } from "zod";
import { describeIssue } from "#base/schema-issues.ts";
import { DIALECTS } from "#simulator/wire/envelope.ts";
import { OPTIONS } from "./option-table.ts";
import { zoneOf } from "#simulator/state/time-zone.ts";

/** Thrown for wrong options, or for a file that an option names and that cannot be read. */
export class BadOptions extends Error {}

const BALANCES = z
  .string()
  .regex(
    /^[A-Z0-9]+=\d+(\.\d+)?(,[A-Z0-9]+=\d+(\.\d+)?)*$/,
    "must be a list such as INR=1000,THB=50",
  )
  .transform((text) =>
    Object.fromEntries(text.split(",").map((part) => part.split("=") as [string, string])),
  );

const number = (form: RegExp, what: string, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(form, `must be ${what}`)
    .transform(Number)
    .refine((value) => value <= most, `must be ${what}`);
const PERCENT = /^\d{1,2}(\.\d{1,4})?$/;
const MS = number(/^\d+$/, "a number of milliseconds");

const OPTION_VALUES = z.object({
  port: number(/^\d+$/, "a port from 0 to 65535", 65_535),
  host: z.string().min(1),
  faults: z.string().optional(),
  seed: number(/^-?\d+$/, "a whole number"),
  "transaction-log": z.string().min(1),
  "settle-ms": MS,
  declines: number(/^\d+(\.\d+)?$/, "a share from 0 to 1", 1),
  fee: z.string().regex(PERCENT, "must be a percentage from 0 to 99.9999, such as 0.5"),
  merchants: z.string().optional(),
  balance: BALANCES.optional(),
  refusals: z.enum(["200", "400"]),
  unknown: z.enum(["success_false", "empty_array", "no_data"]),
  dialect: z.enum(DIALECTS),
  escaping: z.enum(["none", "percent"]),
  "expire-ms": MS,
  zone: z.string().transform((label, context) => {
    const zone = zoneOf(label);
    if (zone) return zone;
    context.addIssue("must be GMT 05:30 or GMT+05:30");
    return z.NEVER;
  }),
  "callback-url": z.url("must be an http or https address").optional(),
});
export type OptionValues = z.infer<typeof OPTION_VALUES>;

/**
 * Parses the command line's texts over the defaults. @throws BadOptions that lists every problem.
 */
export function readOptions(given: Readonly<Record<string, string | undefined>>): OptionValues {
  const texts: Record<string, string> = {};
  for (const option of OPTIONS) {
    const text = given[option.flag] ?? option.default;
    if (text !== null) texts[option.flag] = text;
  }
  const values = OPTION_VALUES.safeParse(texts, {
    error: (issue) => `must be ${describeIssue(issue)}`,
  });
  if (values.success) return values.data;
  const wrong = values.error.issues.map(({ path, message }) => {
    const flag = path.join(".");
    return `  --${flag} ${message} (found ${JSON.stringify(texts[flag])})`;
  });
  throw new BadOptions(`Options of the simulator:\n${wrong.join("\n")}`);
}
