import type { Parameter, Schema } from "./description.ts";
import { messages } from "./messages.ts";

const texts = messages.schema;

/** A field of an object, as the documentation lists it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The permitted values; empty: not limited to some. */
  readonly choices: readonly string[];
  /** Limits of the value, and its default. */
  readonly rules: readonly string[];
  /** The fields of its object, or of the objects of its list. */
  readonly variants: readonly Variant[];
}

/** One form of an object. The label is null if there is only one. */
export interface Variant {
  readonly label: string | null;
  readonly fields: readonly Field[];
}

/** The limits of whole numbers in JSON, which most integers have. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Returns the forms of the objects that this schema describes. */
export function variantsOf(schema: Schema): readonly Variant[] {
  const found = objectsIn(schema).map((object) => ({ object, fields: fieldsOf(object) }));
  const shown = found.filter(({ fields }) => fields.length > 0);
  return shown.map(({ object, fields }, at) => ({
    label: shown.length === 1 ? null : (kindOf(object) ?? texts.form(at + 1)),
    fields,
  }));
}

/** Returns a parameter as a field. */
export const parameterField = ({ name, required, description, schema }: Parameter): Field =>
  fieldOf(name, { ...schema, ...(description !== undefined && { description }) }, required);

const objectsIn = (schema: Schema): readonly Schema[] =>
  alternativesOf(schema).flatMap((each) => (each.items ? objectsIn(each.items) : [each]));

function fieldsOf({ properties, required = [], additionalProperties }: Schema): readonly Field[] {
  const named = Object.entries(properties ?? {}).map(([name, schema]) =>
    fieldOf(name, schema, required.includes(name)),
  );
  if (typeof additionalProperties !== "object" || properties) return named;
  return Object.keys(additionalProperties).length === 0
    ? named
    : [...named, fieldOf(texts.anyName, additionalProperties, false)];
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): Field {
  const ways = alternativesOf(schema);
  return {
    name,
    type: typeOf(schema),
    isRequired,
    description: schema.description ?? "",
    choices: [...new Set(ways.flatMap(choicesOf))],
    rules: [...new Set(ways.flatMap(rulesOf)), ...defaultOf(schema)],
    variants: variantsOf(schema),
  };
}

/** The value that tells a form apart from the others, such as "kind: settled". */
function kindOf({ properties = {} }: Schema): string | undefined {
  const [name, constant] = Object.entries(properties).find(([, each]) => "const" in each) ?? [];
  return name === undefined ? undefined : `${name}: ${valueText(constant?.const)}`;
}

/** Returns the schemas of which one applies. */
export function alternativesOf(schema: Schema): readonly Schema[] {
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways) return ways.flatMap(alternativesOf);
  return typeof schema.type === "object"
    ? schema.type.map((type) => ({ ...schema, type }))
    : [schema];
}

function typeOf(schema: Schema): string {
  const names = alternativesOf(schema).map(({ type, format, items, const: constant }) => {
    if (items) return texts.list(typeOf(items));
    if (type === undefined) return constant === undefined ? texts.anyType : typeof constant;
    return format === undefined ? String(type) : `${String(type)} (${format})`;
  });
  return texts.either([...new Set(names)]);
}

function choicesOf(schema: Schema): readonly string[] {
  if (schema.items) return alternativesOf(schema.items).flatMap(choicesOf);
  if ("const" in schema) return [valueText(schema.const)];
  return (schema.enum ?? []).map(valueText);
}

function rulesOf(schema: Schema): readonly string[] {
  const { minimum = -UNLIMITED, maximum = UNLIMITED, minLength = 0, maxLength } = schema;
  const { maxItems, pattern, format, items } = schema;
  return [
    ...(minimum > -UNLIMITED && maximum < UNLIMITED ? [texts.between(minimum, maximum)] : []),
    ...(minimum > -UNLIMITED && maximum >= UNLIMITED ? [texts.atLeast(minimum)] : []),
    ...(maxLength === undefined ? [] : [texts.length(minLength, maxLength)]),
    ...(maxItems === undefined ? [] : [texts.items(maxItems)]),
    // The pattern of a format, such as a time, is long and tells less than its name.
    ...(pattern !== undefined && format === undefined ? [texts.pattern(pattern)] : []),
    ...(items ? rulesOf(items) : []),
  ];
}

const defaultOf = (schema: Schema): readonly string[] =>
  schema.default === undefined ? [] : [texts.default(valueText(schema.default))];

const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
