import { BENGALI } from "./bengali.ts";
import { BURMESE } from "./burmese.ts";
import { ENGLISH } from "./english.ts";
import { HINDI } from "./hindi.ts";
import { JAPANESE } from "./japanese.ts";
import { KOREAN } from "./korean.ts";
import type { Messages } from "./messages.ts";
import { PORTUGUESE } from "./portuguese.ts";
import { TURKISH } from "./turkish.ts";
import { VIETNAMESE } from "./vietnamese.ts";

/**
 * The available languages by their tags (BCP 47), in the order of the language menu. The compiler
 * reports missing texts.
 */
export const CATALOGUE = {
  en: ENGLISH,
  bn: BENGALI,
  hi: HINDI,
  ja: JAPANESE,
  ko: KOREAN,
  my: BURMESE,
  "pt-BR": PORTUGUESE,
  tr: TURKISH,
  vi: VIETNAMESE,
} as const satisfies Readonly<Record<string, Messages>>;

export type Language = keyof typeof CATALOGUE;

export const LANGUAGES = Object.keys(CATALOGUE) as readonly Language[];

/** Returns the language of a tag. The region is ignored: "pt-PT" gives "pt-BR". */
export function findLanguage(tag: string): Language | undefined {
  const primary = primaryOf(tag);
  return LANGUAGES.find((language) => primaryOf(language) === primary);
}

const primaryOf = (tag: string) => tag.trim().toLowerCase().split("-", 1)[0];

/** A weight between 0 and 1 (RFC 9110, section 12.4.2). */
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * Returns the available language that the browser's list prefers (RFC 9110, Accept-Language);
 * otherwise English. Entries with an invalid weight are ignored.
 */
export function languageOf(accepted = ""): Language {
  const entries = accepted
    .slice(0, 500)
    .split(",")
    .map((entry) => {
      const [tag = "", ...rest] = entry.split(";");
      const weight = rest.length === 0 ? "1" : WEIGHT.exec(rest.join(";").trim())?.[1];
      return { language: findLanguage(tag), weight: Number(weight ?? 0) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return entries.find(({ language }) => language)?.language ?? "en";
}
