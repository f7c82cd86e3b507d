/** Compares a declared row type with the columns that PostgreSQL reports. */
import pg from "pg";
import { type Symbol, SymbolFlags, type Type, TypeFlags } from "typescript/unstable/sync";
import type { Column } from "./describe.ts";
import type { Source } from "./source.ts";

const { builtins } = pg.types;

/**
 * The kind of value that the driver makes of each type, as src/ledger/store/database.ts sets it up.
 */
const KINDS: Readonly<Record<number, string>> = {
  [builtins.BOOL]: "boolean",
  [builtins.BYTEA]: "Buffer",
  [builtins.INT2]: "number",
  [builtins.INT4]: "number",
  [builtins.INT8]: "number",
  [builtins.OID]: "number",
  [builtins.FLOAT4]: "number",
  [builtins.FLOAT8]: "number",
  [builtins.NUMERIC]: "string",
  [builtins.TEXT]: "string",
  [builtins.VARCHAR]: "string",
  [builtins.BPCHAR]: "string",
  [builtins.UUID]: "string",
  [builtins.TIMESTAMPTZ]: "Date",
  [builtins.TIMESTAMP]: "Date",
  [builtins.DATE]: "Date",
  [builtins.JSON]: "anything",
  [builtins.JSONB]: "anything",
  18: "string", // "char"
  19: "string", // name
  1000: "boolean[]",
  1001: "Buffer[]",
  1003: "string[]", // name[]
  1005: "number[]",
  1007: "number[]",
  1009: "string[]",
  1016: "string[]", // bigint[], whose elements stay text
  1022: "number[]",
  1028: "number[]",
  1115: "Date[]",
  1185: "Date[]",
  1231: "number[]", // numeric[], which loses digits: cast it to text[]
};

/** Compares the properties of a row with columns of the same names. Returns what differs. */
export function differences(source: Source, row: Type, columns: readonly Column[]): string[] {
  return source.checker.getPropertiesOfType(row).flatMap((property) => {
    const column = columns.find(({ name }) => name === property.name);
    if (!column) return isOptional(property) ? [] : [`${property.name}: no such column`];
    const type = source.checker.getTypeOfSymbol(property);
    return type ? differencesOf(source, type, column) : [];
  });
}

export function differencesOf(source: Source, type: Type, column: Column): string[] {
  const kinds = kindsOf(source, type);
  const reported = KINDS[column.type];
  if (reported === undefined) return [`${column.name}: unknown type ${column.type}`];
  const strange = kinds.filter(
    (kind) => !["null", "undefined", "anything", reported].includes(kind),
  );
  const isNullMissing = column.isNullable && !kinds.includes("null") && !kinds.includes("anything");
  return [
    ...(strange.length > 0 && reported !== "anything"
      ? [`${column.name}: ${strange.join(", ")} is declared, ${reported} is read`]
      : []),
    ...(isNullMissing ? [`${column.name}: may be null`] : []),
  ];
}

const isOptional = (property: Symbol): boolean => (property.flags & SymbolFlags.Optional) !== 0;

/** The kinds of values of a type, for example "string" and "null". */
function kindsOf(source: Source, type: Type): readonly string[] {
  if (type.isUnionType()) {
    return [...new Set((type.getTypes() ?? []).flatMap((each) => kindsOf(source, each)))];
  }
  const { flags } = type;
  if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return ["anything"];
  if (flags & TypeFlags.StringLike) return ["string"];
  if (flags & TypeFlags.NumberLike) return ["number"];
  if (flags & TypeFlags.BooleanLike) return ["boolean"];
  if (flags & TypeFlags.BigIntLike) return ["bigint"];
  if (flags & TypeFlags.Null) return ["null"];
  if (flags & TypeFlags.Undefined) return ["undefined"];
  if (source.checker.isArrayType(type)) {
    const [element] = source.checker.getTypeArguments(type as never);
    return element ? kindsOf(source, element).map((kind) => `${kind}[]`) : ["array"];
  }
  const name = type.getSymbol()?.name ?? "";
  return ["Date", "Buffer"].includes(name) ? [name] : ["object"];
}
