/** `npm run file-page`: writes docs/file.md from the rules that files are checked by. A test fails when the page is stale. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { REQUIRED_COLUMNS } from "../src/batch/columns.ts";
import { DEFAULT_FILE_LIMITS, UNPACKED_BYTES_MAX } from "../src/batch/limits.ts";
import { PROBLEMS } from "../src/batch/problems.ts";
import { CALLBACK_LENGTH_MAX } from "../src/batch/overrides.ts";
import { DEFAULT_ROW_SETTINGS, REFERENCE_LENGTH_MAX } from "../src/batch/row.ts";
import { unitsOf } from "../src/batch/amount-limits.ts";
import { guideOf } from "../src/batch/template.ts";
import { AMOUNT_STYLES } from "../src/money/parse.ts";
import { RAW_SIGNS } from "../src/payout/layout-limits.ts";

const OF_EVERY_FILE: ReadonlySet<string> = new Set([...REQUIRED_COLUMNS, "reference"]);

const code = (text: string): string => `\`${text}\``;
const codes = (names: readonly string[]): string => names.map(code).join(", ");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const figure = (count: number): string => count.toLocaleString("en");
const MIB = 1024 ** 2;

/** The columns of each currency that not every file has. */
const GUIDES = [...unitsOf(DEFAULT_ROW_SETTINGS.crypto)].map(([currency, unit]) => {
  const columns = guideOf(currency, DEFAULT_ROW_SETTINGS) ?? [];
  return {
    currency,
    decimals: Math.min(unit.minorDigits, unit.gatewayDigits),
    columns: columns.filter(({ column }) => !OF_EVERY_FILE.has(column)),
  };
});

const currencyRows = GUIDES.map(({ currency, decimals, columns }) => {
  const named = (wanted: string) =>
    codes(columns.filter(({ need }) => need === wanted).map(({ column }) => column));
  const others = [named("wanted") && `${named("wanted")} (a warning without)`, named("optional")];
  return [
    currency,
    decimals === 0 ? "none" : String(decimals),
    named("required"),
    others.filter((text) => text !== "").join(", "),
  ];
});

/** What each of these columns holds, and in which currencies. */
function formRows(): string[][] {
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
    .map(({ column, expected, currencies }) => [code(column), expected, currencies.join(" ")]);
}

const { bytesMax, rowsMax, columnsMax, recordBytesMax } = DEFAULT_FILE_LIMITS;

/** The page as it must be. */
export const filePage = (): string => `# A file of payouts

Written from the rules that files are checked by, by \`npm run file-page\`. Edit them or the script, not this page.

One row is one payout. A file may hold several currencies.

\`\`\`sh
./payrun template INR > payouts.csv     # the columns of a currency, and a sample row to delete; --xlsx: a workbook
./payrun check payouts.csv              # every problem of every row; stores and sends nothing
\`\`\`

The first line is the header. Case, blanks, dashes and underscores of its names do not matter, and neither does the order of the
columns. A column that is not known is left out, with a warning.

## Columns of every file

${table(
  ["Column", "Needed", "Holds"],
  [
    ["`user_id`", "yes", "your own key of the user, at most 128 characters"],
    ["`currency_code`", "yes", `one of ${GUIDES.map(({ currency }) => currency).join(" ")}`],
    [
      "`transaction_amount`",
      "yes",
      "an amount above zero, at most [the limit of its currency](limits.md)",
    ],
    ["`account_name`", "yes", "the name of the beneficiary"],
    [
      "`transaction_code`",
      "no",
      `your own code of the payout, once in all files (${PROBLEMS.bad_transaction_code.expected}); payrun makes one where it is empty`,
    ],
    [
      "`payout_code`",
      "no",
      `the payout method, where it is not the merchant's (${PROBLEMS.bad_payout_code.expected}): one of the codes that \`payout_codes\` or \`PAYOUT_CODES\` lists for the merchant`,
    ],
    [
      "`callback_url`",
      "no",
      `where the gateway reports this payout, and not to payrun, which asks all the same: an https address on a host of \`CALLBACK_HOSTS\`, at most ${CALLBACK_LENGTH_MAX} characters`,
    ],
    [
      "`reference`",
      "no",
      `your own note, which is never sent; at most ${REFERENCE_LENGTH_MAX} characters`,
    ],
  ],
)}

## Columns of a currency

${table(["Currency", "Decimals at most", "Needs", "May have"], currencyRows)}

A value that its currency does not use is left out, with a warning. Which other crypto currencies there are, and on which chain, is
\`CRYPTO_CURRENCIES\`.

${table(["Column", "Holds", "For"], formRows())}

**PIX keys.** For BRL \`bank_name\` holds the key and \`bank_code\` its kind: CPF, CNPJ, EMAIL, PHONE or EVP.
\`bank_account_number\` holds an ID number of 11 digits beside every kind; a CNPJ does not fit there. Which ID number a company has
is a question for the provider ([PIX keys](gateway.md#51-pix-keys)).

**The signs ${RAW_SIGNS}.** The default layout of a payout cannot carry them, as in the key +5511998765432 or the name Punjab & Sind Bank:
such a row is refused, and no value is changed to fit. \`GATEWAY_PAYOUT_LAYOUT=json\` or \`GATEWAY_ESCAPING=percent\` sends them as
they are, and \`payout_layout\` in \`MERCHANTS_FILE\` does so for the currencies of one merchant; ask the provider first which of
them the gateway reads. \`payrun check\` reads no merchants, and goes by the settings of all.

## Amounts

A file writes its amounts in one style. It is \`AMOUNT_STYLE\`, or for \`payrun check\` its \`--amounts\`; payrun guesses none.

${table(
  ["Style", "Example"],
  Object.entries(AMOUNT_STYLES).map(([name, { example }]) => [code(name), code(example)]),
)}

## Forms of files

- **CSV.** Between the cells stands a ${PROBLEMS.delimiter_unsupported.expected.replace(",", ", a").replace(" or ", " or a ")}; payrun finds out which. A cell that holds it, a quote or a line break
  stands in double quotes.
- **Encodings.** UTF-8, with or without a mark, and UTF-16. Anything else is read as Windows-1252, with a warning: a letter beyond
  ASCII counts for BRL, PHP and wallets then, and refuses rows of other currencies. Save as "CSV UTF-8".
- **Workbooks.** XLSX. The first sheet is read, and it must be visible. Format the columns of codes and accounts as text: a number
  loses its zeros at the start and everything after 15 digits. Such cells are refused or want to be compared (\`--numbers-compared\`).

${table(
  ["", "At most"],
  [
    ["a CSV file", `${figure(bytesMax / MIB)} MiB`],
    ["a workbook, unpacked", `${figure(UNPACKED_BYTES_MAX / MIB)} MiB, some 100,000 rows`],
    ["rows", figure(rowsMax)],
    ["columns", figure(columnsMax)],
    ["one row", `${figure(recordBytesMax / 1024)} KiB`],
  ],
)}

## How to repair a file

**Before it is taken in.** \`payrun check payouts.csv --rejects rejects.csv\` writes the refused rows with what is wrong (\`reason\`) and
how to repair it (\`hint\`). Repair \`payouts.csv\` and check it again.

**A batch that needs correction.** Its good rows stay as they are; the others come back:

\`\`\`sh
./payrun batch rejects ID > rejects.csv     # the refused rows, with three more columns: line, reason, hint
./payrun batch correct ID rejects.csv       # after the repair
./payrun batch submit ID                    # hand it in; --leave-out goes on without the rows that are still wrong
\`\`\`

- Leave \`line\` as it is: by it a row finds its place. \`reason\` and \`hint\` may stay.
- Delete the rows that you do not want to repair. They stay refused.
- A cell that would be a formula has an apostrophe before it. Leave it; payrun takes it off.
- � stands for a letter that was not certain. Write the value anew.
- \`correct\` says how many rows are repaired, and ends with 3 where rows are still wrong: ask for \`rejects\` again. It takes nothing where a
  line was not refused, or stands there twice: good rows cannot be changed this way.
- A correction takes the batch back from approval. Hand it in again, with the totals that it has now.
- A batch that was approved is corrected no more. Bring what is missing in a new file.

**The whole file, repaired, is another batch.** Cancel the first one before (\`payrun batch cancel ID\`), or its good rows stand in both. A code
of your own that is in the ledger already is refused, also when its batch was cancelled.

At the desk the same is on the page of the batch: download the refused rows, upload the repaired ones.
`;

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, "..", "docs", "file.md"), filePage());
}
