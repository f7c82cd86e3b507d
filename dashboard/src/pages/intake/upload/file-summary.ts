import { messages } from "./messages.tsx";

const texts = messages.filePage;

interface Note {
  readonly code: string;
  readonly message: string;
  readonly correction: string;
}

/** The findings of a file and its rows. */
interface Found {
  readonly file: { readonly notes: readonly Note[] };
  readonly findings: readonly {
    readonly count: number;
    readonly example: { readonly severity: "error" | "warning"; readonly column: string | null };
  }[];
}

/** Notes that say how the file was read. The page shows the same with its amounts and columns. */
const READING_NOTES: ReadonlySet<string> = new Set([
  "amounts_read_as",
  "columns_read_as",
  "currency_of_all_rows",
]);

/** Returns the warnings about the file as a whole. */
export const fileWarnings = ({ file }: Pick<Found, "file">): readonly Note[] =>
  file.notes.filter(({ code }) => !READING_NOTES.has(code));

/** Counts the warnings of a file as its page lists them: of its rows, and of the file itself. */
export const countWarnings = ({ file, findings }: Found): number =>
  findings
    .filter(({ example }) => example.severity === "warning")
    .reduce((sum, { count }) => sum + count, 0) + fileWarnings({ file }).length;

/** Returns whether the file has problems or warnings to list. */
export const hasFindings = (found: Found): boolean =>
  found.findings.length > 0 || fileWarnings(found).length > 0;

/** Returns whether rows have warnings, so that the uploader can edit them or leave them out. */
export const hasEditableWarnings = ({ findings }: Pick<Found, "findings">): boolean =>
  findings.some(({ example: { severity } }) => severity === "warning");

/** Returns the format of a file as labels and values. A workbook has no delimiter. */
export const formatOf = ({
  encoding,
  delimiter,
}: {
  readonly encoding: string;
  readonly delimiter: string;
}): readonly (readonly [string, string])[] =>
  encoding === "XLSX"
    ? [[texts.format, texts.workbook]]
    : [
        [texts.encoding, encoding],
        [texts.delimiter, texts.delimiters[delimiter] ?? delimiter],
      ];
