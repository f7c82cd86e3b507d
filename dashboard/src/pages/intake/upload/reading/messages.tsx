import { counted, inLanguage } from "../../../../base/language.ts";

const amountsText = (count: number) => counted(count, "amount", "amounts");

const en = {
  confirm: {
    title: (file: string) => `How ${file} is read`,
    caption: "Approvers see these choices",
    explanation:
      "The file has not been stored. Compare the suggestions with the file, then confirm them.",
    confirmBoth: "Confirm format and columns",
    confirmAmounts: "Confirm the amount format",
    confirmColumns: "Confirm the columns",
    cancel: "Choose another file",
  },

  amounts: {
    looks: (name: string) => `Amounts look ${name}`,
    unclear: "Choose how the amounts are written",
    fits: (fits: number, values: number) => `${fits} of ${amountsText(values)} fit this format.`,
    only: (only: number) => `${amountsText(only)} fit no other format.`,
    several: "These amounts have different values in different formats.",
    wrongRows: (rows: number) =>
      `${amountsText(rows)} in another format will be errors that you can correct.`,
    choices: "Amount format",
    fit: (count: number) => `${count.toLocaleString()} ${count === 1 ? "fits" : "fit"}`,
    total: "Total",
    unreadable: "not readable",
    names: {
      plain: "plain",
      "1,234.56": "like 1,234.56",
      "1.234,56": "European",
      "1 234,56": "separated by spaces",
      "1'234.56": "Swiss",
      "1,25,000.50": "Indian (lakh)",
    } as Readonly<Record<string, string>>,
  },

  columns: {
    title: "Columns",
    yours: "Your column",
    field: "payrun column",
    first: "First value",
    basis: "Match",
    ignored: "not imported",
    bases: {
      own_name: "Same name",
      remembered: "From your last file",
      synonym: "Suggested",
      several: "Choose one",
      unknown: "Unknown name",
      changed: "Your choice",
    },
    fieldOf: (name: string) => `payrun column for ${name}`,
    missing: (columns: readonly string[]) =>
      `Choose a column of the file for ${columns.join(", ")}. If the file has none, add it to the file.`,
    twice: (columns: readonly string[]) =>
      `Choose only one column of the file for ${columns.join(", ")}.`,
    remember: "Suggest this for my files with the same header",
  },
};

export const messages = inLanguage({ en });
