import { ARCHIVE_FIELDS } from "#http/openapi/archives.ts";
import { BATCH_FIELDS } from "#http/openapi/batches.ts";
import { COMMON_FIELDS } from "#http/openapi/repeated.ts";
import { FREEZE_FIELDS } from "#http/openapi/freeze.ts";
import { OPERATIONS_FIELDS } from "#http/openapi/operations.ts";
import { PAYOUT_ACTION_FIELDS } from "#http/openapi/payout-actions.ts";
import { PAYMENT_FIELDS } from "#http/openapi/payments.ts";
import { BATCH_LIST_FIELDS } from "#http/openapi/batch-list.ts";
import { ERASURE_FIELDS } from "#http/openapi/erasures.ts";
import { DAY_FIELDS } from "#http/openapi/days.ts";
import { RECONCILIATION_FIELDS } from "#http/openapi/reconciliation.ts";
import { REPORT_FIELDS } from "#http/openapi/reports.ts";
import { REVIEW_FIELDS } from "#http/openapi/review.ts";
import { PEOPLE_FIELDS } from "#http/openapi/people.ts";
import { ROW_FIELDS } from "#http/openapi/rows.ts";
import { RETRY_FIELDS } from "#http/openapi/retries.ts";

const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...COMMON_FIELDS,
    ...BATCH_FIELDS,
    ...RETRY_FIELDS,
    ...PAYMENT_FIELDS,
    ...OPERATIONS_FIELDS,
    ...FREEZE_FIELDS,
    ...PEOPLE_FIELDS,
    ...BATCH_LIST_FIELDS,
    ...REVIEW_FIELDS,
    ...RECONCILIATION_FIELDS,
    ...ROW_FIELDS,
    ...DAY_FIELDS,
    ...ERASURE_FIELDS,
    ...PAYOUT_ACTION_FIELDS,
    ...REPORT_FIELDS,
    ...ARCHIVE_FIELDS,
  }),
);

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/**
 * Returns the key of the description of a field. Null: there is none.
 *
 * @param path the path of the operation without "/api/" and its parameters, then the names of the
 * fields down to this one. A list's `items` are left out. The path of a GET operation's query
 * parameter starts with "query", so that a description of a filter is found before that of a field
 * in the response.
 */
export function keyOf(path: readonly string[]): string | null {
  const keys = path.map((_, from) => path.slice(from).join("."));
  if (path[0] === "query") keys.splice(1, 0, `filters.${path.at(-1) ?? ""}`);
  return keys.find((key) => FIELDS.has(key)) ?? null;
}

/** The keys of all descriptions. */
export const FIELD_KEYS: readonly string[] = [...FIELDS.keys()];

/** Returns the same schema with a description of every field. */
export function withDescriptions(schema: Schema, path: readonly string[]): Schema {
  const each = (schemas: readonly Schema[]) => schemas.map((one) => withDescriptions(one, path));
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          describedField(name, field, path),
        ]),
      ),
    }),
    ...(items && { items: withDescriptions(items, path) }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: withDescriptions(additionalProperties, path),
    }),
    ...(anyOf && { anyOf: each(anyOf) }),
    ...(oneOf && { oneOf: each(oneOf) }),
    ...(allOf && { allOf: each(allOf) }),
  };
}

function describedField(name: string, field: Schema, path: readonly string[]): Schema {
  const key = keyOf([...path, name]);
  const description = field.description ?? (key === null ? undefined : FIELDS.get(key));
  const inside = withDescriptions(field, name === "items" ? path : [...path, name]);
  return { ...inside, ...(description !== undefined && { description }) };
}

/** "POST /api/payouts/:code/query" → "payouts/query". */
export const placeOf = (operation: string): string =>
  operation
    .replace(/^\w+ \/api\//, "")
    .split("/")
    .filter((part) => !part.startsWith(":"))
    .join("/");
