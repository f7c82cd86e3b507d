import type { ProblemDocument } from "#api/shapes.ts";

/** "1 payout", "1,204 payouts". */
export const plural = (count: number, word: string): string =>
  `${count.toLocaleString()} ${word}${count === 1 ? "" : "s"}`;

/** "64 MB", as file managers count; rounded down, for it is said of limits. */
export const sizeText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${Math.floor(bytes / 2 ** 30)} GB` : `${Math.floor(bytes / 2 ** 20)} MB`;

/** As whoever brought a batch calls it: by its name, or by its file. */
export const calledOf = ({ name, file }: { readonly name: string | null; readonly file: string }) =>
  name ?? file;

/** Letters that are read from right to left. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What people have written, within a sentence that is no element of its own: it takes nothing beside it along. */
export const apart = (text: string): string => (LEFTWARD.test(text) ? `\u2068${text}\u2069` : text);

/** What is wrong with a field of a request: "body.limits.0.amount" is what people call "limits 1 amount". */
export function fieldWords({ place, message }: Place): string {
  const [, ...names] = place.split(".");
  const field = names.map((name) => (/^\d+$/.test(name) ? `${Number(name) + 1}` : name)).join(" ");
  return [field.replaceAll(/[_-]/g, " "), message].filter(Boolean).join(": ");
}
type Place = NonNullable<ProblemDocument["places"]>[number];

/** What the server has refused. What is not there is named by the detail: below the title it would be said twice. */
export function problemWords({ title, detail, places = [], code }: ProblemDocument) {
  if (code === "not_found") return { title: detail ?? title, detail: "", places: [], code };
  const [asked, answer] = places.length === 0 ? [title, detail] : NOT_AS_EXPECTED;
  return { title: asked, detail: detail ?? answer, places: places.map(fieldWords), code };
}

const NOT_AS_EXPECTED = [
  "This cannot be taken as it stands",
  "Nothing was done. Beside each field stands what is expected there: correct it, and try again.",
] as const;

/** What people call the fields of a payout. */
// biome-ignore format: the columns are the point
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  user_id:             "User",
  account_name:        "Beneficiary",
  bank_account_number: "Account",
  ifsc_code:           "IFSC",
  bank_code:           "Bank code",
  bank_name:           "Bank",
  branch_code:         "Branch",
  phone_number:        "Phone",
  address:             "Address",
};
