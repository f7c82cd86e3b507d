import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Sealer } from "#ledger/sealed.ts";

const FORM = /^([\w-]{22})\.([\w-]{43})$/;

/** What a browser is given when somebody has signed in with it: nobody makes one without the key of the ledger. */
export function knownBrowser(email: string, sealer: Sealer): string {
  const id = randomBytes(16).toString("base64url");
  return `${id}.${markOf(id, email, sealer).toString("base64url")}`;
}

/** The id of a browser that has been let in with this e-mail; null: of another one, or of nobody's. */
export function browserKnown(
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
