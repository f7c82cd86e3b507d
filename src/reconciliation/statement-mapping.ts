import { visible } from "#base/invisible-characters.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { AmountStyle } from "#money/parse.ts";
import type { StatementStatus } from "#reconciliation/records.ts";

interface FieldFacts {
  readonly required: boolean;
  readonly means: string;
  /** Other names of the column, in lower case with letters and digits only. */
  readonly synonyms: readonly string[];
}

/** The values that payrun reads from a line of a statement. */
// biome-ignore format: one field per line
export const STATEMENT_FIELDS = {
  code:           { required: true,  means: "transaction code of payrun", synonyms: ["transactioncode", "merchantreference", "merchantorderid", "merchantorderno", "orderid", "orderno", "reference", "referenceid", "clientreference", "endtoendid"] },
  gateway_number: { required: false, means: "transaction number of the gateway", synonyms: ["gatewaynumber", "transactionno", "transactionnumber", "transactionid", "txnid", "txid", "gatewayreference", "withdrawalno", "systemorderno", "platformorderno"] },
  amount:         { required: true,  means: "amount", synonyms: ["amount", "transactionamount", "payoutamount", "withdrawalamount", "orderamount", "debit", "amt"] },
  currency:       { required: false, means: "currency", synonyms: ["currency", "currencycode", "ccy", "cur"] },
  fee:            { required: false, means: "fee", synonyms: ["fee", "fees", "transactionfee", "charge", "charges", "chrgs", "commission"] },
  status:         { required: true,  means: "result", synonyms: ["status", "sts", "transactionstatus", "orderstatus", "payoutstatus", "withdrawalstatus", "state", "result"] },
  time:           { required: false, means: "time of the result", synonyms: ["time", "datetime", "date", "completedat", "completiontime", "completetime", "finishedat", "finishtime", "settledat", "settlementtime", "valuedate", "bookgdt", "updatedat"] },
} satisfies Record<string, FieldFacts>;

export type StatementField = keyof typeof STATEMENT_FIELDS;
export const STATEMENT_FIELD_NAMES = Object.keys(STATEMENT_FIELDS) as readonly StatementField[];

const isRequired = (field: StatementField): boolean => STATEMENT_FIELDS[field].required;

/** Words for results that are understood without a setting, in lower case. */
const KNOWN_WORDS: Readonly<Record<string, StatementStatus>> = {
  completed: "completed",
  success: "completed",
  successful: "completed",
  settled: "completed",
  paid: "completed",
  failed: "failed",
  failure: "failed",
  declined: "failed",
  rejected: "failed",
  cancelled: "failed",
  pending: "pending",
  processing: "pending",
  "in progress": "pending",
  returned: "returned",
  reversed: "returned",
  refunded: "returned",
};

export const STATEMENT_STATUSES: readonly StatementStatus[] = [
  "completed",
  "failed",
  "pending",
  "returned",
];

/**
 * The sign of a payout's amount. `none`: no amount has a minus sign. Otherwise an amount with the
 * other sign is money that came back.
 */
export const PAYOUT_SIGNS = ["none", "positive", "negative"] as const;
export type PayoutSign = (typeof PAYOUT_SIGNS)[number];

/** How the statements of one merchant account are read. A stored version never changes. */
export interface StatementMapping {
  /** The name of the column for each field. A field without a column is not read. */
  readonly columns: Readonly<Partial<Record<StatementField, string>>>;
  readonly amountStyle: AmountStyle;
  readonly payoutSign: PayoutSign;
  /** Words for results in addition to the known ones, in lower case. */
  readonly words: Readonly<Record<string, StatementStatus>>;
  /** Time zone of the business day, and of times without a zone. */
  readonly zone: string;
}

/** Returns the result that a word means in this mapping. Undefined: it is unknown. */
export const statusOf = (
  { words }: Pick<StatementMapping, "words">,
  text: string,
): StatementStatus | undefined => {
  const word = text.toLowerCase();
  return Object.hasOwn(words, word)
    ? words[word]
    : Object.hasOwn(KNOWN_WORDS, word)
      ? KNOWN_WORDS[word]
      : undefined;
};

/**
 * Returns a status word to which a mapping gives another meaning than payrun does. Null: there is
 * none.
 */
export const contradictingWord = ({ words }: Pick<StatementMapping, "words">): string | null =>
  Object.entries(words).find(
    ([word, status]) => Object.hasOwn(KNOWN_WORDS, word) && KNOWN_WORDS[word] !== status,
  )?.[0] ?? null;

/** Returns the words that a mapping understands, for people. */
export const wordsOf = ({ words }: Pick<StatementMapping, "words">): readonly string[] => [
  ...new Set([...Object.keys(words), ...Object.keys(KNOWN_WORDS)]),
];

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * Suggests a column for each field by its name. A field for which two columns are equally good has
 * no suggestion.
 */
export function suggestColumns(names: readonly string[]): StatementMapping["columns"] {
  const found = STATEMENT_FIELD_NAMES.flatMap((field) => {
    const { synonyms }: FieldFacts = STATEMENT_FIELDS[field];
    const known = new Set([lettersOf(field), ...synonyms]);
    const fitting = names.filter((name) => known.has(lettersOf(name)));
    return fitting.length === 1 ? [[field, fitting[0]] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * Returns the required fields that have no column. The gateway's number also identifies a payout,
 * so a statement with this number needs no code.
 */
export const missingFields = (columns: StatementMapping["columns"]): readonly StatementField[] =>
  STATEMENT_FIELD_NAMES.filter(
    (field) =>
      isRequired(field) &&
      columns[field] === undefined &&
      !(field === "code" && columns.gateway_number !== undefined),
  );

/** The columns that satisfy a required field, for people. */
const neededColumn = (field: StatementField): string =>
  field === "code"
    ? `${STATEMENT_FIELDS.code.means}, or the ${STATEMENT_FIELDS.gateway_number.means}`
    : STATEMENT_FIELDS[field].means;

/** The position of each field in a row. */
export type StatementPlaces = ReadonlyMap<StatementField, number>;

/** Why a mapping does not fit a header, for people. */
export interface MappingFault {
  readonly message: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * Finds the columns of a mapping in a header, in any order. Err: every reason why it does not fit.
 */
export function placesIn(
  names: readonly string[],
  columns: StatementMapping["columns"],
): Result<StatementPlaces, readonly MappingFault[]> {
  const places = new Map<StatementField, number>();
  const faults: MappingFault[] = missingFields(columns).map((field) => ({
    message: `No column is mapped to ${field}.`,
    expected: `a column with the ${neededColumn(field)}`,
    found: listed(names),
  }));
  for (const field of STATEMENT_FIELD_NAMES) {
    const name = columns[field];
    if (name === undefined) continue;
    const count = names.filter((each) => each === name).length;
    if (count === 1) places.set(field, names.indexOf(name));
    else {
      const message =
        count === 0
          ? `The file has no column "${visible(name)}".`
          : `The file has ${count} columns with the name "${visible(name)}".`;
      faults.push({ message, expected: `one column "${visible(name)}"`, found: listed(names) });
    }
  }
  const shared = STATEMENT_FIELD_NAMES.find((field) =>
    STATEMENT_FIELD_NAMES.some(
      (other) => other < field && columns[field] !== undefined && columns[other] === columns[field],
    ),
  );
  if (shared) {
    const message = `The column of ${shared} is mapped to two fields.`;
    faults.push({ message, expected: "one field for each column", found: columns[shared] ?? "" });
  }
  return faults.length > 0 ? err(faults) : ok(places);
}

const listed = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => `"${visible(name)}"`)
    .join(", ");
