import type { z } from "zod";
import { Problem } from "#api/app/problems.ts";

/** Encodes the place where a page ended as one opaque text. */
export const cursorOf = (place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(place)).toString("base64url");

/** @throws Problem if the text is not a cursor of this list. */
export function readCursor<Place>(cursor: string, schema: z.ZodType<Place>): Place {
  const place = schema.safeParse(parse(Buffer.from(cursor, "base64url").toString()));
  if (place.success) return place.data;
  const places = [{ place: "query.cursor", message: "must be a cursor for this list" }];
  throw new Problem("invalid_request", { places });
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-]\d\d(:\d\d){0,2})$/;

/**
 * Whether a text is a timestamp in the format of PostgreSQL. Any other text would make the
 * statement fail.
 */
export function isTimestampText(text: string): boolean {
  const [, day, time] = TIMESTAMP.exec(text) ?? [];
  const at = new Date(`${day}T${time}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${day}T${time}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
