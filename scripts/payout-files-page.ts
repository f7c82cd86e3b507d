/**
 * `npm run payout-files-page`: writes payout-files.md from the rules that check files. A test fails
 * when the page is stale.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { REQUIRED_COLUMNS } from "../src/intake/header/columns.ts";
import { DEFAULT_FILE_LIMITS, UNPACKED_BYTES_MAX } from "../src/intake/text/file-limits.ts";
import { PROBLEMS } from "../src/intake/text/problems.ts";
import { CALLBACK_LENGTH_MAX } from "../src/intake/overrides.ts";
import { REFERENCE_LENGTH_MAX } from "../src/intake/row.ts";
import { DEFAULT_ROW_SETTINGS } from "../src/intake/row-settings.ts";
import { unitsOf } from "../src/intake/amount-limits.ts";
import { columnGuideOf } from "../src/intake/template.ts";
import { AMOUNT_STYLES } from "../src/money/parse.ts";
import { RAW_SIGNS } from "../src/payout/rules/layout-limits.ts";

const OF_EVERY_FILE: ReadonlySet<string> = new Set([...REQUIRED_COLUMNS, "reference"]);

const code = (text: string): string => `\`${text}\``;
const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

const figure = (count: number): string => count.toLocaleString("en");
const MIB = 1024 ** 2;

/** Columns of each currency that not every file has. */
const GUIDES = [...unitsOf(DEFAULT_ROW_SETTINGS.crypto)].map(([currency, unit]) => {
  const columns = columnGuideOf(currency, DEFAULT_ROW_SETTINGS) ?? [];
  return {
    currency,
    decimals: Math.min(unit.minorDigits, unit.gatewayDigits),
    columns: columns.filter(({ column }) => !OF_EVERY_FILE.has(column)),
  };
});

/** Columns of each currency; currencies with the same columns and decimals share an item. */
function currencyItems(): string[] {
  const items = new Map<string, string[]>();
  for (const { currency, decimals, columns } of GUIDES) {
    const named = (wanted: string) =>
      columns
        .filter(({ need }) => need === wanted)
        .map(({ column }) => code(column))
        .join(", ");
    const required = named("required");
    const wanted = named("wanted");
    const optional = named("optional");
    const text = [
      required,
      wanted && `${wanted} (recommended)`,
      optional && `${optional} (optional)`,
      decimals === 0 ? "no decimals" : `up to ${decimals} decimals`,
    ]
      .filter((part) => part !== "")
      .join("; ");
    items.set(text, [...(items.get(text) ?? []), currency]);
  }
  return [...items].map(([text, currencies]) => `**${currencies.join(", ")}**: ${text}`);
}

/** Contents of each of these columns, and its currencies. */
function formItems(): string[] {
  const forms = new Map<string, { column: string; expected: string; currencies: string[] }>();
  for (const { currency, columns } of GUIDES) {
    for (const { column, expected } of columns) {
      const key = `${column} ${expected}`;
      const form = forms.get(key) ?? { column, expected, currencies: [] };
      forms.set(key, { ...form, currencies: [...form.currencies, currency] });
    }
  }
  return [...forms.values()]
    .toSorted((a, b) => a.column.localeCompare(b.column))
    .map(
      ({ column, expected, currencies }) =>
        `${code(column)}: ${column === "bank_name" ? "the bank's name" : expected} (${currencies.join(" ")})`,
    );
}

/** The styles of amounts, with an example where the name is not one. */
const styles = Object.entries(AMOUNT_STYLES).map(([name, { example }]) =>
  name === example ? code(name) : `${code(name)} (${code(example)})`,
);

const { bytesMax, rowsMax, columnsMax, recordBytesMax } = DEFAULT_FILE_LIMITS;

/** Returns the whole page. */
export const filePage = (): string =>
  [INTRODUCTION, columnsOfEveryFile(), columnsByCurrency(), formats(), CORRECTION].join("\n");

const INTRODUCTION = `# Payout files

For anyone who prepares payout files.

Each row of a payout file is one payout. A file can contain several currencies.

\`\`\`sh
./payrun template INR > payouts.csv     # the columns for a currency and a sample row to delete; --xlsx for a workbook
./payrun check payouts.csv              # list the problems in every row, without storing or sending anything
\`\`\`

The first line is the header. payrun ignores letter case, spaces, dashes and underscores in column names. Columns can be in any order.
payrun warns about unknown columns and about values that a row's currency does not use, and ignores both. For other common column names,
such as \`Amount\` or \`IFSC\`, payrun suggests a meaning. Confirm each meaning on the upload page, with \`--column "Amount=transaction_amount"\`,
or with the API parameter \`columns\`. For a file without a currency column, choose one for all rows there, with \`--currency INR\`,
or with \`currency\`. Approvers see both.
`;

const columnsOfEveryFile = (): string => `## Columns in every file

Required:

${list([
  "`user_id`: your own ID for the user, at most 128 characters",
  `\`currency_code\`: one of ${GUIDES.map(({ currency }) => currency).join(" ")}`,
  "`transaction_amount`: an amount above zero, up to [the limit for the currency](../operate/largest-amounts.md)",
  "`account_name`: the beneficiary's name",
])}

Optional:

${list([
  `\`transaction_code\`: your own code for the payout, unique across all files (${PROBLEMS.bad_transaction_code.expected}); if the cell is empty, payrun creates a code`,
  `\`payout_code\`: the code of the payout method, if different from the merchant's (${PROBLEMS.bad_payout_code.expected}); the code must be listed for the merchant in \`payout_codes\` or \`PAYOUT_CODES\``,
  `\`callback_url\`: an https URL that the gateway calls instead of payrun's own callback URL, at most ${CALLBACK_LENGTH_MAX} characters, on a host listed in \`CALLBACK_HOSTS\`; payrun still queries the payout's status`,
  `\`reference\`: your own note, at most ${REFERENCE_LENGTH_MAX} characters; payrun never sends it to the gateway`,
])}
`;

const columnsByCurrency = (): string => `## Columns by currency

Columns are required unless marked otherwise. payrun warns if a recommended column is empty.

${list(currencyItems())}

Use \`CRYPTO_CURRENCIES\` to define more cryptocurrencies and their chains. The columns contain:

${list(formItems())}

**PIX keys.** For BRL, \`bank_name\` contains the PIX key and \`bank_code\` its type: CPF, CNPJ, EMAIL, PHONE or EVP. For every key type,
\`bank_account_number\` must contain an 11-digit ID number, so it cannot contain a CNPJ ([PIX keys](../reference/gateway.md#51-pix-keys)).

**The characters ${RAW_SIGNS}.** The default payout layout does not support these characters, which occur in PIX keys such as +5511998765432
and in names such as Punjab & Sind Bank. payrun rejects rows that contain these characters. If a listed bank name contains &, payrun
suggests "and" instead, because the bank code identifies the bank. Either of [two settings](../reference/gateway.md#22-values) lets payrun
send these characters unchanged. First ask the provider which setting the gateway supports. \`payrun check\` prints the payout layout that
it used, which depends on the merchants configured on the same machine.
`;

const formats = (): string => `## Amounts

All amounts in a file must use the same number format: ${styles.slice(0, -1).join(", ")} or ${styles.at(-1)}. If the
amounts do not fit the default format (\`AMOUNT_STYLE\`), or could have another value in another format, payrun proposes a format with examples
and totals. Confirm the format on the upload page, with \`--amounts\`, or with the API parameter \`amounts\`. Approvers see this format. Uploading
the file again in another format [creates no second batch](../decisions/0116-confirm-the-amount-format-of-each-file.md).

## Supported files

- **CSV**, at most ${figure(bytesMax / MIB)} MiB. Use ${PROBLEMS.delimiter_unsupported.expected}; payrun detects which one. Put double quotes
  around a cell that contains the delimiter, a quote or a line break.
- **Encodings**: UTF-8, with or without a byte order mark, and UTF-16. payrun reads any other file as Windows-1252 and shows a
  warning. In Windows-1252 files, payrun accepts non-ASCII letters only for BRL, PHP and cryptocurrencies. In Excel, save the file as "CSV UTF-8".
- **XLSX workbooks**, at most ${figure(UNPACKED_BYTES_MAX / MIB)} MiB when unpacked (about 100,000 rows). payrun reads only the first sheet, which must be
  visible. Format columns with codes and account numbers as text, because numbers lose leading zeros and all digits after the 15th. payrun
  rejects codes and account numbers that are stored as numbers, or asks you to compare them with their source (\`--numbers-compared\`).
- **Size**: a file can have at most ${figure(rowsMax)} rows, ${figure(columnsMax)} columns, and ${figure(recordBytesMax / 1024)} KiB per row.
`;

const CORRECTION = `## Correct a file

**Before the upload**, \`payrun check payouts.csv --rejects rejects.csv\` writes the rejected rows to \`rejects.csv\`. For each row,
the \`reason\` column shows the problem and the \`hint\` column shows how to correct it. Correct \`payouts.csv\` and check it again.

**After the upload**, the batch keeps its valid rows. Correct the rejected rows on the batch page or on the command line:

\`\`\`sh
./payrun batch rejects ID > rejects.csv     # the rejected rows, with the columns line, reason, hint
./payrun batch correct ID rejects.csv       # after you have corrected them
./payrun batch leave-out ID 12              # without line 12; put-back reverts this
./payrun batch request-approval ID          # --leave-out: without the rows that still have problems
\`\`\`

- Do not change the \`line\` column, which identifies each row. You may keep the \`reason\` and \`hint\` columns.
- Delete the rows that you do not want to correct. These rows remain rejected.
- Keep the apostrophe in front of a formula. payrun removes it later.
- The character � replaces a letter that payrun could not read. Enter the whole value again.
- If rows still have problems, \`batch correct\` exits with code 3. Download the rejected rows again. \`batch correct\` accepts each
  rejected row once, and no valid row. You can edit valid rows with warnings on the file page.
- A correction withdraws the batch from approval, like \`batch withdraw\`. Send it for approval again, with its new totals.
- You cannot correct an approved batch. Upload the missing rows in a new file.

**If you upload a complete corrected file, it becomes another batch.** First cancel the old batch (\`payrun batch cancel ID\`). Otherwise, both
batches contain the same valid rows. payrun rejects a transaction code that is already in the ledger, even if its batch was cancelled.
`;

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "use", "payout-files.md"), filePage());
}
