import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { type PlantedPerson, textsOf } from "./people.ts";
import type { SealedText } from "./sealed-texts.ts";

/** A place where data of people may be, and its files. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** Name of a folder below it that belongs to another place. */
  readonly without?: string;
}

/** The people who can be read in a place. */
export interface Findings {
  /** By a text that is not encrypted. */
  readonly plain: ReadonlySet<PlantedPerson>;
  /** By an encrypted text that the keys of today open. */
  readonly opened: ReadonlySet<PlantedPerson>;
  /** Number of encrypted texts of planted people, whether they open or not. */
  readonly sealed: number;
  readonly bytes: number;
}

/** Bytes of an encrypted text that distinguish it: format, subject, nonce and tag. */
const MARK_BYTES = 33;

/**
 * Searches the files of a place for the texts of people, and for their encrypted texts.
 *
 * @param canOpen whether the keys of today open a text.
 */
export function searchPlace(
  place: Place,
  people: readonly PlantedPerson[],
  sealed: readonly SealedText[],
  canOpen: (text: SealedText) => boolean,
): Findings {
  const plain = new Set<PlantedPerson>();
  const found = new Set<SealedText>();
  let bytes = 0;
  for (const content of contentsOf(place)) {
    bytes += content.length;
    for (const person of people) {
      if (!plain.has(person) && formsOfPlain(person).some((form) => content.includes(form))) {
        plain.add(person);
      }
    }
    for (const text of sealed) {
      if (!found.has(text) && formsOfSealed(text).some((form) => content.includes(form))) {
        found.add(text);
      }
    }
  }
  const opened = new Set([...found].filter(canOpen).map(({ person }) => person));
  return { plain, opened, sealed: found.size, bytes };
}

const forms = new Map<object, readonly Buffer[]>();
const once = <T extends object>(of: T, make: (of: T) => Buffer[]): readonly Buffer[] => {
  const known = forms.get(of) ?? make(of);
  forms.set(of, known);
  return known;
};

const formsOfPlain = (person: PlantedPerson) =>
  once(person, (each) =>
    textsOf(each).flatMap((text) => [
      Buffer.from(text),
      Buffer.from(text, "utf16le"),
      Buffer.from(Buffer.from(text).toString("hex")),
    ]),
  );

/** Raw as in a table, in hexadecimal as in a dump, and in both forms of Base64 as in JSON. */
const formsOfSealed = (text: SealedText) =>
  once(text, ({ sealed }) => {
    const start = sealed.subarray(0, MARK_BYTES);
    return [
      start,
      ...(["hex", "base64", "base64url"] as const).map((form) => Buffer.from(start.toString(form))),
    ];
  });

function* contentsOf({ path, without }: Place): Generator<Buffer> {
  for (const name of readdirSync(path)) {
    if (name === without) continue;
    const file = join(path, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) yield* contentsOf({ name, path: file });
    if (!found?.isFile() || found.size === 0) continue;
    const content = readFileSync(file);
    yield content;
    if (name.endsWith(".zip")) {
      for (const part of Object.values(unzipSync(content))) yield Buffer.from(part);
    }
  }
}
