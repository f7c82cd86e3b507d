import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Sealer } from "#ledger/store/sealing.ts";

const FORM = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Creates the token that a browser receives after a sign-in. It cannot be forged without the key of
 * the ledger.
 */
export function createBrowserToken(email: string, sealer: Sealer): string {
  const id = randomBytes(16).toString("base64url");
  return `${id}.${markOf(id, email, sealer).toString("base64url")}`;
}

/**
 * Returns the ID of a browser in which this e-mail address has signed in before; null for any other
 * browser.
 */
export function readBrowserToken(
  text: string | undefined,
  email: string,
  sealer: Sealer,
): string | null {
  const [, id = "", mark = ""] = FORM.exec(text ?? "") ?? [];
  const given = Buffer.from(mark, "base64url");
  const wanted = markOf(id, email, sealer);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? id : null;
}

const markOf = (id: string, email: string, sealer: Sealer): Buffer =>
  sealer.digest(`known browser ${id} ${email.toLowerCase()}`);
