import { z } from "zod";
import { canForgeLines } from "#base/invisible-characters.ts";
import { CURRENCY_CODE } from "#money/currency.ts";

/** A currency and an exact decimal, never a float. @public */
export const Amount = z.object({
  currency: z.string(),
  amount: z.string().regex(/^-?\d+(\.\d+)?$/),
});
/** @public */
export type Amount = z.output<typeof Amount>;

/** The currency of a rule or limit, as typed. */
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

/** One entry in the history of a payout or deposit. */
export const TimelineEntry = z.object({
  at: Timestamp,
  kind: z.enum(["change", "attempt", "answer", "status_query", "callback", "lease", "person"]),
  title: z.string(),
  text: z.string().nullable(),
  actor: z.string().nullable(),
  /** `proof`: the entry proves that the money has arrived. */
  tone: z.enum(["plain", "attention", "proof"]),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
});

const NO_FORGING = "text without control characters or marks that change the text direction";
const BREAKS = /[\t\r\n]+/g;

/** A name: one line of text without characters that could imitate other output. */
export const lineText = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((text) => !canForgeLines(text), NO_FORGING);

/** A reason: one line of text. Line breaks become spaces. */
export const reasonText = (min: number, max: number) =>
  z
    .string()
    .overwrite((text) => text.replaceAll(BREAKS, " "))
    .trim()
    .min(min)
    .max(max)
    .refine((text) => !canForgeLines(text), NO_FORGING);

/** A text of several lines. */
export const multiLineText = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((text) => !canForgeLines(text.replaceAll(BREAKS, " ")), NO_FORGING);

/** A line number of a file, up to the largest that the ledger can store. */
export const LineNumber = z.coerce.number().int().max(2_147_483_647);

const PAGE_MAX = 200;

/** Paging of a list: the cursor of the previous page, and the page size. @public */
export const PageQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(50),
});

/** One page of a list. `next` is the cursor of the next page, null on the last one. @public */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.string().nullable() });

/** An error as in RFC 9457. `code` is stable; title and detail are for people. */
export const ProblemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  code: z.string(),
  detail: z.string().optional(),
  /** The invalid fields, for `invalid_request`, such as "body.email". */
  places: z.array(z.object({ place: z.string(), message: z.string() })).optional(),
});
export type ProblemDocument = z.output<typeof ProblemDocument>;

/** A changed cell; accounts are masked. */
export const CellChange = z.object({
  column: z.string(),
  before: z.string(),
  after: z.string(),
  /** Positions of the first and the last differing character. Null: one value is longer. */
  differs: z.object({ from: z.number().int(), to: z.number().int() }).nullable(),
});
