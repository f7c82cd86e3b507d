import { z } from "zod";
import { forges } from "#batch/visible.ts";
import { CURRENCY_CODE } from "#money/currency.ts";

/** An exact decimal beside its currency. Never a float: 0.1 + 0.2 is not money. @public */
export const Amount = z.object({
  currency: z.string(),
  amount: z.string().regex(/^-?\d+(\.\d+)?$/),
});
/** @public */
export type Amount = z.output<typeof Amount>;

/** The currency of a rule or a limit, as somebody types it. */
export const Currency = z
  .string()
  .trim()
  .toUpperCase()
  .regex(CURRENCY_CODE, "a currency such as INR or USDT-TRC20");

/** The amount of a rule or a limit. */
export const RuleAmount = z
  .string()
  .regex(/^[0-9]{1,15}(\.[0-9]{1,8})?$/, "an amount such as 1000 or 1000.50");

/** ISO 8601, UTC. */
export const Timestamp = z.iso.datetime();

/** One thing that happened to a payout or deposit, in words. */
export const Happening = z.object({
  at: Timestamp,
  kind: z.enum(["change", "attempt", "answer", "question", "callback", "lease", "person"]),
  title: z.string(),
  text: z.string().nullable(),
  actor: z.string().nullable(),
  /** `proof`: it says that money has arrived, and that is proven. */
  tone: z.enum(["plain", "grave", "proof"]),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
});

const NO_FORGING = "no control characters, and no marks that turn the direction of writing";
const BREAKS = /[\t\r\n]+/g;

/** A name: a text in one line, which cannot pass itself off as other lines where it is printed. */
export const line = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((text) => !forges(text), NO_FORGING);

/** Why something is done: one line, too. Line breaks that somebody typed become blanks. */
export const why = (min: number, max: number) =>
  z
    .string()
    .overwrite((text) => text.replaceAll(BREAKS, " "))
    .trim()
    .min(min)
    .max(max)
    .refine((text) => !forges(text), NO_FORGING);

/** What somebody writes in as many lines as they like. */
export const note = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((text) => !forges(text.replaceAll(BREAKS, " ")), NO_FORGING);

/** The number of a line of a file. The ledger holds no higher one. */
export const LineNumber = z.coerce.number().int().max(2_147_483_647);

const PAGE_MAX = 200;

/** How a list is asked for: the cursor of the page before, and how many. @public */
export const PageQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(50),
});

/** A page of a list; `next` is the cursor of the following one, null at the end. @public */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.string().nullable() });

/** RFC 9457. `code` is stable; title and detail are for people. */
export const ProblemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string().optional(),
  /** What is wrong where, for `invalid_request`: "body.email". */
  places: z.array(z.object({ place: z.string(), message: z.string() })).optional(),
});
export type ProblemDocument = z.output<typeof ProblemDocument>;
