import { expect, test } from "vitest";
import {
  countWarnings,
  fileWarnings,
  formatOf,
} from "../../../dashboard/src/pages/intake/upload/file-summary.ts";

const finding = (severity: "error" | "warning", count: number) => ({
  count,
  example: { severity, column: null },
});
const note = (code: string) => ({ code, message: code, correction: "" });

test("counts the warnings that the page lists: of rows and of the file, but not how it was read", () => {
  const found = {
    findings: [finding("error", 7), finding("warning", 3), finding("warning", 1)],
    file: { notes: [note("amounts_read_as"), note("columns_read_as"), note("formulas_read")] },
  };
  expect(fileWarnings(found).map(({ code }) => code)).toEqual(["formulas_read"]);
  expect(countWarnings(found)).toBe(5);
});

test.each([
  [{ encoding: "UTF-8", delimiter: ";" }, ["Encoding", "Delimiter"], ["UTF-8", "semicolon"]],
  [{ encoding: "XLSX", delimiter: "," }, ["Format"], ["Excel workbook (XLSX)"]],
])("shows no delimiter for a workbook: %j", (file, labels, values) => {
  const shown = formatOf(file);
  expect(shown.map(([label]) => label)).toEqual(labels);
  expect(shown.map(([, value]) => value)).toEqual(values);
});
