import { messages as texts } from "./messages.ts";
import type { Mapping } from "./use-statement.ts";

/** A column of a statement with its first values. */
export interface FileColumn {
  readonly name: string;
  readonly values: readonly string[];
}

type Columns = Mapping["columns"];

/** The meaning of a column of the file. Empty: it is not read. */
export const fieldOf = (columns: Columns, name: string): string =>
  Object.entries(columns).find(([, each]) => each === name)?.[0] ?? "";

/** Gives a column of the file another meaning, which no other column keeps. Empty: it has none. */
export const withField = (columns: Columns, name: string, field: string): Columns =>
  Object.fromEntries([
    ...Object.entries(columns).filter(([known, each]) => each !== name && known !== field),
    ...(field === "" ? [] : [[field, name] as const]),
  ]);

/** One meaning of each list needs a column. */
const REQUIRED = [["code", "gateway_number"], ["amount"], ["status"]] as const;

/** Returns the meanings that still need a column, each as one text. */
export const missingFields = (columns: Columns): readonly string[] =>
  REQUIRED.filter((fields) => fields.every((field) => columns[field] === undefined)).map((fields) =>
    texts.either(fields.map((field) => texts.fields[field])),
  );

/** Whether every required meaning has a column. */
export const isComplete = (columns: Columns): boolean => missingFields(columns).length === 0;
