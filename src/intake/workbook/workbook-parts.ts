import { type Parts, partText } from "#intake/workbook/part-text.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { tagsOf } from "#intake/workbook/xml-tags.ts";
import { visible } from "#base/invisible-characters.ts";
import { err, ok, type Result } from "#base/result.ts";

/** The locations of the relevant parts in the archive of a workbook. */
export interface Book {
  readonly sheet: { readonly name: string; readonly path: string };
  /** Number of sheets in the workbook. */
  readonly tabs: number;
  readonly stringsPath: string;
  readonly stylesPath: string;
  /** True: dates count from 1904, as on old Macintosh computers. */
  readonly is1904: boolean;
}

const WORKBOOK = "xl/workbook.xml";
const RELATIONS = "xl/_rels/workbook.xml.rels";

/** Locates the first sheet of a workbook. Err: the first sheet is unreadable or hidden. */
export function locateParts(parts: Parts): Result<Book, Problem> {
  const relationsPart = partText(parts, RELATIONS);
  if (!relationsPart.ok) return broken(relationsPart.error);
  const workbook = partText(parts, WORKBOOK);
  if (!workbook.ok) return broken(workbook.error);

  const relations = [...tagsOf(relationsPart.value, "Relationship")].map((relation) => ({
    id: relation.get("Id"),
    kind: relation.get("Type")?.split("/").at(-1),
    path: pathOf(relation.get("Target") ?? ""),
  }));
  const relationOf = new Map(relations.toReversed().map((relation) => [relation.id, relation]));
  const tabs = [...tagsOf(workbook.value, "sheet")].map((tab) => ({
    name: tab.get("name") ?? "",
    isHidden: (tab.get("state") ?? "visible") !== "visible",
    relation: relationOf.get(tab.get("id")),
  }));
  const first = tabs[0];
  if (!first?.relation) return broken("it does not declare its first sheet");
  const { name, relation } = first;
  if (relation.kind !== "worksheet") {
    return err(problem("first_tab_without_cells", { found: name }, { name: visible(name) }));
  }
  if (first.isHidden) {
    return err(problem("first_sheet_hidden", { found: name }, { name: visible(name) }));
  }
  const pathFor = (kind: string) => relations.find((other) => other.kind === kind)?.path;
  const [properties] = tagsOf(workbook.value, "workbookPr");
  return ok({
    sheet: { name, path: relation.path },
    tabs: tabs.filter((tab) => parts.has(tab.relation?.path ?? "")).length,
    stringsPath: pathFor("sharedStrings") ?? "xl/sharedStrings.xml",
    stylesPath: pathFor("styles") ?? "xl/styles.xml",
    is1904: ["1", "true"].includes(properties?.get("date1904") ?? ""),
  });
}

const pathOf = (target: string): string =>
  target.startsWith("/") ? target.slice(1) : `xl/${target}`;

/** Returns the problem of a workbook that cannot be read. */
export const broken = (why: string) => err(problem("workbook_broken", {}, { why }));

/**
 * Guesses from its entry names what kind of archive this is if it holds no sheet. Null: it may be a
 * workbook.
 */
export function otherKind(names: readonly string[]): string | null {
  if (names.some((name) => /^xl\/(?:workbook|worksheets\/[^/]+)\.xml$/.test(name))) return null;
  const kind = OTHER_KINDS.find(({ holds }) => names.some((name) => holds.test(name)));
  return kind?.is ?? "a ZIP archive without a worksheet";
}

const OTHER_KINDS = [
  { holds: /^xl\/.*\.bin$/, is: "a binary workbook (XLSB)" },
  { holds: /^word\//, is: "a text document (DOCX)" },
  { holds: /^content\.xml$/, is: "an OpenDocument file, such as a spreadsheet (ODS)" },
  { holds: /^Index(?:\/.*\.iwa|\.zip)$/, is: "a Numbers file or another Apple document" },
];
