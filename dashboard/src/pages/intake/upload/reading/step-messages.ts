import { counted, inLanguage } from "../../../../base/language.ts";

const en = {
  label: "Upload steps",
  file: "File",
  reading: "Format and columns",
  findings: "Findings",
  details: "Details and totals",
  approval: "Send for approval",
  toConfirm: "to confirm",
  problems: (errors: number, warnings: number) =>
    `${counted(errors, "error", "errors")}, ${counted(warnings, "warning", "warnings")}`,
  noProblems: "no problems",
};

/** The texts of the steps of an upload. */
export const messages = inLanguage({ en });
