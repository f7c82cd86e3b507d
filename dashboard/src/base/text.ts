import type { ProblemDocument } from "#api/app/shapes.ts";
import type { BatchSource } from "#intake/batch/batch-lifecycle.ts";
import { messages } from "./messages.ts";

/**
 * "64 MB", in binary units as in file managers. Rounded down, because it describes upper limits.
 */
export const sizeText = (bytes: number): string =>
  bytes >= 2 ** 30
    ? messages.sizes.gigabytes(Math.floor(bytes / 2 ** 30))
    : messages.sizes.megabytes(Math.floor(bytes / 2 ** 20));

/** "12.5%". */
export const inPercent = (digits: string): string => `${digits}%`;

interface NamedBatch {
  readonly name: string | null;
  readonly purpose: string | null;
  readonly file: string;
  /** Absent: not known. */
  readonly source?: BatchSource;
}

/** The title of a batch on every page: its name, or else its purpose, or else its origin. */
export const batchName = (batch: NamedBatch): string =>
  batch.name ?? batch.purpose ?? batchOrigin(batch);

/** The origin and the purpose of a batch, unless they are its title. */
export const otherNamesOf = (batch: NamedBatch): readonly string[] =>
  [...new Set([batchOrigin(batch), batch.purpose])]
    .filter((text) => text !== null)
    .filter((text) => text !== batchName(batch));

/** The title of the batch of a payout. */
export const batchNameOf = ({ batch_name, batch_purpose, file_name }: PayoutOfBatch): string =>
  batchName({ name: batch_name, purpose: batch_purpose, file: file_name });

interface PayoutOfBatch {
  readonly batch_name: string | null;
  readonly batch_purpose: string | null;
  readonly file_name: string;
}

/** The name of the batch's file, or the sender whose rows came through the API. */
export const batchOrigin = ({
  file,
  source = "file",
}: Omit<NamedBatch, "name" | "purpose">): string =>
  source === "file" ? file : messages.sentByApi(file);

/** Writes the first letter as a capital, such as that of a state as a heading. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Letters of right-to-left scripts. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates typed text within a sentence, so that right-to-left letters do not reorder the text
 * around it.
 */
export const isolateDirection = (text: string): string =>
  LEFTWARD.test(text) ? `\u2068${text}\u2069` : text;

/**
 * The problem of one field of a request: "body.limits.0.amount" becomes "limits 1 amount". A time
 * zone has a sentence of its own, because people type it.
 */
export function fieldProblemText({ place, message }: Place): string {
  const [, ...names] = place.split(".");
  if (names.at(-1) === "zone") return messages.errors.unknownZone;
  const field = names.map((name) => (/^\d+$/.test(name) ? `${Number(name) + 1}` : name)).join(" ");
  return [field.replaceAll(/[_-]/g, " "), message].filter(Boolean).join(": ");
}
type Place = NonNullable<ProblemDocument["places"]>[number];

/**
 * The text of a refusal. The detail of `not_found` names the missing thing and replaces the title.
 */
export function problemText({ title, detail, places = [], code }: ProblemDocument) {
  if (code === "not_found") return { title: detail ?? title, detail: "", places: [], code };
  const { invalidFields } = messages.errors;
  const shown = places.length === 0 ? { title, detail } : invalidFields;
  return {
    title: shown.title,
    detail: detail ?? shown.detail,
    places: places.map(fieldProblemText),
    code,
  };
}
