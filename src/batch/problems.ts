import { visible } from "#batch/visible.ts";
import { RAW_SIGNS } from "#payout/layout-limits.ts";

export type Severity = "error" | "warning";

/** One problem or doubt about a row or a file. */
export interface Problem {
  /** Stable code by which scripts can distinguish problems. */
  readonly code: ProblemCode;
  /** An error excludes the row from the batch. A warning does not. */
  readonly severity: Severity;
  /** The line of the file on which the record starts, counted from 1. Null: the whole file. */
  readonly line: number | null;
  readonly column: string | null;
  /** The value found, with invisible characters made visible, truncated for display. */
  readonly found: string | null;
  readonly expected: string;
  readonly repair: string;
  /** One sentence for people. */
  readonly message: string;
}

interface ProblemText {
  readonly severity: Severity;
  /** `{name}` is replaced by a value given with the problem. */
  readonly message: string;
  readonly expected: string;
  readonly repair: string;
}

const error = (message: string, expected: string, repair: string): ProblemText => ({
  severity: "error",
  message,
  expected,
  repair,
});
const warning = (message: string, expected: string, repair: string): ProblemText => ({
  severity: "warning",
  message,
  expected,
  repair,
});

const AS_TEXT =
  "Format the column as text in the spreadsheet before values are typed or pasted, and enter them again from the source.";
const LAYOUTS =
  "leave the value as it is: GATEWAY_PAYOUT_LAYOUT=json (or payout_layout in MERCHANTS_FILE, for one merchant) or GATEWAY_ESCAPING=percent sends it unchanged. Ask the provider which of them the gateway reads, set it, and upload the row again.";
const PLAIN_AMOUNT = "a plain amount such as {example}";

/**
 * Every problem that payrun can find in a file: its message, what was expected, and how to correct
 * it.
 */
// biome-ignore format: one problem per line
export const PROBLEMS = {
  // The file as a whole
  file_empty: error("The file is empty.", "a header line and at least one row", "Export the file again."),
  file_without_rows: error("The file has a header and no rows.", "at least one row under the header", "Export the file again, or check that the rows were not filtered out."),
  file_too_large: error("The file is larger than {limit} bytes.", "a file of at most {limit} bytes", "Split the file into several."),
  file_not_text: error("This is {kind}, not a CSV file.", "a CSV file", "Open it in the program it comes from and save it as CSV (UTF-8)."),
  workbook_too_large: error("The workbook holds more than {limit} bytes when it is unpacked.", "a workbook of at most {limit} bytes unpacked", "Save the sheet as CSV (UTF-8): a CSV file may be much larger."),
  workbook_broken: error("The workbook cannot be read: {why}.", "a whole XLSX file", "Open it in the program it comes from and save it again, or save the sheet as CSV (UTF-8)."),
  workbook_locked: error("The workbook is protected by a password.", "a workbook that opens without a password", "Open it, empty the password (in Excel: File, Info, Protect Workbook, Encrypt with Password) and save it again, or save the sheet as CSV (UTF-8)."),
  first_tab_without_cells: error("The first tab of the workbook, {name}, is a chart or something else without rows of cells.", "the payouts on the first tab", "Move the sheet with the payouts to the front."),
  first_sheet_hidden: error("The first sheet of the workbook, {name}, is hidden.", "the payouts on the first sheet, where they are seen", "Show that sheet, or move the sheet with the payouts to the front."),
  first_sheet_empty: error("The first sheet of the workbook, {name}, is empty; the workbook has {count} sheets.", "the payouts on the first sheet", "Move the sheet with the payouts to the front."),
  sheets_ignored: warning("The workbook has {count} sheets; the first one, {name}, was read.", "one sheet", "Nothing, if the payouts are all on that sheet; else move the sheet that holds them to the front."),
  rows_hidden: warning("The sheet hides rows that were read like all others: {count}.", "rows that can be seen", "Show all rows and look at them; delete those that are not meant."),
  rows_struck_out: warning("Rows of the sheet are struck out, in some cell at least, and were read like all others: {count}.", "rows that are meant", "Delete the rows that are not meant."),
  columns_hidden: warning("The sheet hides columns that were read like all others: {columns}.", "columns that can be seen", "Show all columns and look at them."),
  formulas_read: warning("The sheet holds formulas; what they came to when it was saved was read.", "values", "Compare the sums with the source, or paste the values over the formulas."),
  formats_by_condition: warning("Conditional formats may show numbers in {cells} as other ones, or hide them; what the cells hold was read.", "cells that show what they hold", "Clear the conditional formats of these cells and look at what they show then."),
  macros_ignored: warning("The workbook holds macros; they were not looked at.", "a workbook without macros", "Nothing, if that is meant."),
  encoding_invalid: error("The bytes at offset {offset} are not valid {encoding}.", "one encoding from the first byte to the last", "Save the file again as CSV (UTF-8); do not join files of different encodings."),
  delimiter_unsupported: error("The sign between the cells of this file is not supported.", "comma, semicolon or tab", "Save the file with a comma, semicolon or tab between the cells."),
  quote_unbalanced: error("A quoted cell that opens on line {line} is not closed properly.", "a closing quote that is followed by a delimiter or the end of the line", "Close the quote on line {line}; write a quote inside a quoted cell twice."),
  quote_inside_cell: error("A quote stands inside a cell on line {line} that does not start with one.", "quotes around the whole cell, or none", "Put the whole cell in quotes and write the inner quote twice."),
  record_too_large: error("The row on line {line} is larger than {limit} bytes.", "rows of at most {limit} bytes", "Check whether a quote is missing or line breaks were lost."),
  rows_too_many: error("The file has more than {limit} rows.", "at most {limit} rows", "Split the file into several."),
  columns_too_many: error("The header has {count} columns.", "at most {limit} columns", "Delete the columns that payouts do not need."),
  line_column_missing: error("The file has no column named line.", "the column line of the file of rejected rows", "Download the rejected rows again and repair them in that file; leave the column line as it is."),
  columns_missing: error("The header lacks {columns}.", "a column for each of user_id, currency_code, transaction_amount and account_name", "Add the missing columns; {hint}."),
  header_missing: error("The first line is not a header: it names no column, and holds numbers.", "a header line above the rows", "Write the names of the columns above the rows: payrun template CURRENCY shows them."),
  header_further_down: error("The header is not the first line: line {position} looks like it.", "the header on the first line", "Delete the lines above line {position}."),
  header_without_value: error("Column {position} of the header shows an error, or holds a formula that was never calculated.", "a name in every cell of the header", "Write the name of the column in that cell."),
  header_in_quotes: error("The whole header stands in one pair of quotes, and is one cell.", "quotes around single cells, or none", "Export the file again, or delete the quotes around whole lines."),
  column_twice: error("The header names {column} twice (columns {first} and {second}).", "each column once", "Delete or rename one of the two."),
  column_ignored: warning("The column {column} is not known and is ignored.", "a known column", "Nothing, if that is meant; else rename it{hint}."),
  column_unnamed: warning("Column {position} has no name and is ignored.", "a name in the header", "Nothing, if the column is empty; else name it."),
  encoding_guessed: warning("The file is not UTF-8; it is read as Windows-1252.", "UTF-8", "Check the names with accents below, or save the file as CSV (UTF-8)."),
  rows_at_spreadsheet_limit: warning("The file has exactly {rows} lines, the most that a spreadsheet holds; rows may have been cut off.", "all rows of the source", "Compare the number of rows and the total with the source."),

  // The row as a whole
  row_too_short: error("The row has {count} cells.", "{columns} cells, as in the header", "Add the missing cells; empty cells need their delimiter too."),
  row_too_long: error("The row has {count} cells.", "{columns} cells, as in the header", "Put cells that hold the delimiter in quotes; in a workbook, check whether cells have moved to the right."),
  row_is_header: error("The line is the header once more.", "a row", "Delete the line: where files are joined, only the first one keeps its header."),
  row_is_padding: error("The line holds nothing but NUL or Ctrl-Z characters: the end of the file is padding, or was cut off.", "a row, or the end of the file", "Compare the number of rows and the total with the source; then export the file again, or delete the line."),
  lines_in_ignored_cell: warning("The ignored cell {column} goes over {count} lines: stray quotes may have swallowed rows, which would not be paid.", "a cell on one line", "Look at the file from line {line} on: a row that stands inside of the cell has to stand on a line of its own."),
  row_repeated: warning("The same beneficiary, currency and amount stand on line {first}.", "each payout once", "Delete one of the two, unless both are meant."),

  line_missing: error("The column line does not hold the number of a line.", "the line as it stands in the file of rejected rows", "Download the rejected rows again and leave the column line as it is."),
  line_not_rejected: error("Line {line} is not among the rejected rows of the batch, or stands here twice.", "rejected rows only, each once", "Delete the row: good rows cannot be changed by a correction."),

  // Any cell
  value_missing: error("{column} is empty; {currency} payouts need it.", "{expected}", "Fill the cell."),
  value_wanted: warning("{column} is empty; the gateway does not ask for it, but a {currency} payout without it may not arrive.", "{expected}", "Fill the cell, if you know the value."),
  value_unused: warning("{column} is not used for {currency} payouts and is left out.", "an empty cell", "Nothing, if that is meant; else check that the value stands in the right column."),
  value_too_long: error("{column} is too long.", "at most {limit} characters", "Compare the value with its source, and write a form of it that the bank or the provider knows and that is not longer."),
  nul_character: error("{column} holds a NUL character.", "text", "Export the file again; it was damaged on its way."),
  control_character: error("{column} holds a control character, such as a tab or a line break.", "text on one line", "Type the value again."),
  invisible_character: error("{column} holds a character that cannot be seen: {character} in place {position}.", "visible characters only", "Delete that character, or type the value again instead of pasting it."),
  joiner_not_carried: error("{column} holds {character} in place {position}, which joins or parts letters: right spelling, but the gateway is not known to carry it.", "visible characters only", "Write the name without that character, or in Latin letters as the bank has it."),
  encoding_doubtful: error("{column} holds letters that cannot be told for sure: the file is not UTF-8, and Windows-1252 is only a guess.", "text in UTF-8", "Save the file as \"CSV UTF-8\" and bring that file instead of this one, or write the value anew in the file of rejected rows."),
  letters_misread: error("{column} holds letters that a program has read in the wrong encoding.", "{meant}", "Export the file again as \"CSV UTF-8\" and bring it as it is, without saving it in another program; or write the value anew."),
  letters_lost: warning("{column} holds a question mark, as programs write it for a letter that their encoding does not have.", "the letters of the source", "Export the file again as \"CSV UTF-8\", or write the value anew."),
  letters_of_zawgyi: warning("{column} is written in Zawgyi, the encoding of Burmese before Unicode: to a bank it is another name.", "a name in Unicode", "Have the names of the file converted from Zawgyi to Unicode, or write the name in Latin letters as the bank has it."),
  lost_character: error("{column} holds U+FFFD, which programs write for a letter that they could not read.", "the letters of the source", "Export the file again as \"CSV UTF-8\", or write the value anew."),
  null_word: error("{column} holds the word null, which the gateway reads as nothing.", "a value, or an empty cell", "Write the value, or empty the cell: the program that made the file had none."),
  error_value: error("{column} holds the error that a spreadsheet shows in place of a result.", "a value", "Repair the formula in the spreadsheet, or write the value."),
  formula_not_calculated: error("{column} holds a formula that was never calculated: the program that wrote the workbook has left that to others.", "a value", "Open the workbook in a spreadsheet, which calculates it, and save it there; or write the value."),
  missing_word: error("{column} holds a word that programs write where they have no value.", "a value, or an empty cell", "Write the value, or empty the cell: the program that made the file had none."),
  name_like_no_value: warning("{column} is a word that programs write where they have no value.", "a name", "Compare the name with its source: Null is a surname, and mostly it is a missing name."),
  not_carried: error("{column} holds a character that the gateway's name=value layout cannot carry.", `a layout that carries ${RAW_SIGNS}`, `Write no other name or key; ${LAYOUTS}`),
  bank_name_not_carried: error("{column} holds an & that the gateway's name=value layout cannot carry.", "{offered}", `Write {offered}: the bank list of {currency} has this name with &, and the bank code is what counts. Or ${LAYOUTS}`),

  // Currency, amount
  currency_missing: error("The currency is empty.", "one of {currencies}", "Fill the cell with the currency's code."),
  currency_unknown: error("The currency is not known.", "one of {currencies}", "Write the code in capital letters{hint}."),
  currency_without_merchant: error("There are no merchant credentials for {currency}.", "one of {currencies}", "Add the credentials of {currency} to the configuration, or take the row out."),
  amount_missing: error("The amount is empty.", PLAIN_AMOUNT, "Fill the cell."),
  amount_scientific: error("The amount is in scientific notation: a spreadsheet shortened it.", PLAIN_AMOUNT, "Format the column as a number without exponent and export again."),
  amount_is_a_date: error("The amount is a date: a spreadsheet changed it, or the column is wrong.", PLAIN_AMOUNT, "Format the column as a number and enter the amount again."),
  amount_foreign_digits: error("The amount has digits that are not 0 to 9.", PLAIN_AMOUNT, "Write the amount with the digits 0 to 9."),
  amount_with_currency: error("The amount holds a currency sign or code.", PLAIN_AMOUNT, "Write the number alone, and in full; the currency has its own column."),
  amount_groups_of_two: error("The amount has groups of two digits, as in India: no style of amounts has them.", PLAIN_AMOUNT, "Give the column a format without groups, such as 0.00, and export again."),
  amount_trailing_signs: error("Signs stand behind the amount, such as /- or ,-.", PLAIN_AMOUNT, "Write the number alone, without the signs behind it."),
  amount_negative: error("The amount is negative.", "an amount above zero", "Write what is to be paid as a positive amount."),
  amount_separators: error("The amount is not written as {style}.", PLAIN_AMOUNT, "Write it like {example}, or have AMOUNT_STYLE set to how your files write it (payrun check --amounts tries a style)."),
  amount_leading_zeros: error("The amount starts with zeros, like an account number.", PLAIN_AMOUNT, "Check that the amount stands in this column; delete the zeros."),
  amount_not_a_number: error("The amount is not a number.", PLAIN_AMOUNT, "Write digits, with a decimal point only between digits and no sign in front."),
  amount_too_long: error("The amount has more than 15 digits before the point.", PLAIN_AMOUNT, "Check that the amount stands in this column."),
  amount_too_many_decimals: error("The amount has more decimals than {currency} has.", "at most {digits} decimals", "Write the amount with at most {digits} decimals; a spreadsheet may have added a .0."),
  amount_decimals_not_payable: error("The gateway pays {currency} in whole amounts.", "an amount with at most {digits} decimals", "Decide on a whole amount; nothing is rounded."),
  amount_zero: error("The amount is zero.", "an amount above zero", "Write the amount, or take the row out."),
  amount_above_limit: error("The amount is above the limit of {currency} {limit}.", "at most {limit}", "Check the decimal point; if the amount is right, raise the limit (AMOUNT_LIMITS in the configuration)."),

  // Spreadsheet damage
  lost_leading_zeros: error("{column} lost its leading zeros: a spreadsheet took it for a number.", "{expected}", AS_TEXT),
  scientific_notation: error("{column} is in scientific notation: a spreadsheet took it for a number and its digits are lost.", "{expected}", AS_TEXT),
  turned_into_date: error("{column} is a date: a spreadsheet changed it.", "{expected}", AS_TEXT),
  trailing_point_zero: error("{column} ends in .0: a spreadsheet took it for a number.", "{expected}", AS_TEXT),
  text_marker: error("{column} holds a spreadsheet's mark for text (a leading ' or =\"…\").", "{expected}", "Delete the mark; the file itself needs none."),
  foreign_digits: error("{column} has digits that are not 0 to 9.", "{expected}", "Write the value with the digits 0 to 9; with a Japanese or Chinese keyboard, in half width."),
  maybe_lost_zero: warning("{column} may have lost a leading zero in a spreadsheet.", "{expected}", "Compare the value with its source."),
  digits_lost: warning("{column} ends in zeros after 15 digits, as a spreadsheet leaves a longer number.", "all digits of the number", "Compare the value with its source."),
  longer_than_usual: warning("The account number has more than 7 digits.", "{expected}", "Compare the number with its source: branch and account may stand in one cell."),
  maybe_country_code: warning("{column} may begin with a country code.", "{expected}", "Compare the number with its source, and write it without country code."),
  maybe_rewritten: warning("{column} looks like what a spreadsheet makes of another value: a date, a .0 behind a number, or a mark for text.", "{expected}", "Compare the value with its source."),

  number_not_text: warning("{column} is a number in the workbook: zeros at its start would be lost.", "a cell of text", AS_TEXT),
  code_not_text: error("{column} is a number in the workbook: with a zero lost it would be another code, and a repeated payout would not be known as one.", "a cell of text", AS_TEXT),
  digits_not_kept: error("{column} is shown otherwise than the workbook holds it: with zeros, other digits or words that it does not have, or not with its own.", "a cell of text", AS_TEXT),
  amount_shown_otherwise: error("The workbook shows the amount otherwise than it holds it: in hundredths or thousands, with digits or a point of its format's own, or not at all.", "an amount that is shown as it is held", "Give the column a plain format such as 0.00, look at what it shows then, and enter the amount again where it is not the one that is meant."),
  amount_shown_rounded: warning("The workbook shows fewer digits of the amount than it holds; what it holds is paid.", "an amount that is shown as it is held", "Compare the amount with its source, or write it with the digits that are meant."),
  amount_in_other_currency: warning("The format of the amount has {sign}, and the currency of its row is {currency}.", "the sign of its own currency, or none", "Compare the amount and the currency with their source; the amount is paid in {currency}."),
  number_not_exact: error("The workbook does not hold {column} exactly: it has more digits than a spreadsheet keeps.", "a cell of text, or a number of at most 15 digits", AS_TEXT),
  cell_merged: error("{column} lies under a merged cell, which shows the content of its first one only.", "a value of its own in each row", "Unmerge the cells in the spreadsheet, look at what each of them holds then, and write what is meant."),
  cell_is_a_date: error("{column} is a date in the workbook.", "a cell of text or a number", AS_TEXT),

  // Codes, numbers, names, addresses
  bad_user_id: error("user_id is too long.", "{expected}", "Write your own key of the user."),
  bad_account_number: error("The account number has a wrong form.", "{expected}", "Write the number as the bank or wallet gives it, without blanks or dashes; a phone number without its country code."),
  account_without_digits: error("The account number has no digit: the columns of the row may have shifted.", "{expected}", "Check that each cell of the row stands under its name, and write the number as the bank gives it."),
  account_of_zeros: error("The account number is nothing but zeros, as programs write an empty cell.", "{expected}", "Write the number as the bank gives it."),
  iban_unlike: warning("The account number is no Turkish IBAN with right check digits.", "TR and 24 digits, with right check digits", "Compare the number with its source: a digit may be missing or mistyped, or a letter O may stand for a 0."),
  bad_ifsc: error("The IFSC is not one.", "{expected}", "Look the code up on a cheque or the bank's page; the fifth character is the digit 0, not the letter O."),
  ifsc_misspelt: error("The IFSC is not written in capital letters without blanks or dashes.", "{nearest}", "Write {nearest}, if that is the code on the cheque or the bank's page."),
  ifsc_maybe_letters: warning("The IFSC has a letter O or I where mostly digits stand.", "{expected}", "Compare the code with a cheque or the bank's page: it may be the digit 0 or 1."),
  bad_bank_code: error("The bank code has a wrong form.", "{expected}", "Look the code up in the provider's list of banks for payouts."),
  bad_branch_code: error("The branch code has a wrong form.", "{expected}", "Look the branch up in the Zengin list."),
  bad_phone_number: error("The phone number has a wrong form.", "{expected}", "Write the national number without country code, blanks or dashes."),
  phone_unlike: warning("The phone number is not like a mobile number of Bangladesh.", "{expected}", "Compare the number with its source: mobile numbers begin with 013 to 019."),
  bad_id_number: error("The ID number has a wrong form.", "{expected}", "Write the 11 digits without dots and dash. A PIX key stands in bank_name as it is, and its kind in bank_code."),
  id_number_is_cnpj: error("The account number is a CNPJ; for BRL the gateway's specification asks for an ID number of 11 digits here.", "{expected}", "Write the CNPJ in bank_name, as it is, and CNPJ in bank_code. Write an ID number of 11 digits in this column; ask the provider which one a company has."),
  id_check_digits: warning("The check digits of the ID number are wrong.", "a CPF with right check digits", "Compare the number with its source."),
  pix_key_unlike: warning("{column} does not look like a PIX key of the kind that bank_code names.", "{expected}", "Write the key itself in {column}, and its kind in bank_code."),
  wallet_unlike: warning("The account number is not like a mobile number, as the accounts of this wallet are.", "{expected}", "Compare the number with its source, and the bank code too: a bank's account may stand beside the code of a wallet."),
  bank_unknown: warning("The bank code is not in the list of {currency}.", "{nearest}", "Check the code in the provider's back office; codes are case-sensitive."),
  bank_for_deposits: warning("The bank code is one for deposits ({name}), not for payouts.", "{nearest}", "Take the code from the list of banks for payouts."),
  bank_name_of_other: warning("The bank code is not that of the bank in bank_name.", "{nearest}, or another name", "Compare the code and the name of the bank with their source: the code is what counts."),
  bank_in_maintenance: warning("The bank ({name}) was listed as under maintenance.", "a bank in service", "Nothing, or ask the provider whether it is back."),
  bad_wallet_address: error("The address is not one of this chain.", "{expected}", "Copy the address again, and check that it belongs to the currency's chain."),
  bad_wallet_checksum: error("The checksum of the address is wrong: a character is missing or mistyped.", "{expected}", "Copy the address again; never correct it by hand."),
  wallet_without_checksum: warning("The address carries no checksum, so a typing mistake cannot be found.", "{expected}", "Compare the address with its source, or use the form with capitals and small letters."),
  name_starts_a_formula: error("{column} starts with a character that spreadsheets run as a formula.", "a name", "Compare the cell with its source, and write the name as the bank of the account has it. Do not delete the character by guess: the rest may be the name of somebody else. If the bank has the name in this form, this payout cannot be sent from a file. A phone number that is a PIX key stands in bank_name as + and digits alone: +5511998765432."),
  name_without_letters: warning("{column} has no letters.", "a name", "Check that the name stands in this column."),
  name_mixes_scripts: warning("{column} mixes letters of different scripts that may look alike.", "a name in one script", "Type the name again in one script, unless the mixture is real."),
  bad_transaction_code: error("The transaction code has a wrong form.", "1 to 64 letters, digits, - _ .", "Use your own code in this form, or leave the cell empty: one is minted."),
  transaction_code_repeated: error("The transaction code stands already on line {first}.", "a code of its own for each payout", "Give one of the two rows another code, or delete it if it is the same payout."),
  transaction_code_in_use: error("The transaction code was used before, on line {first} of batch {batch}.", "a code of its own for each payout", "Give the row another code, or leave the cell empty: one is minted."),
  paid_lately: warning("The same beneficiary, currency and amount stand on line {first} of batch {batch}, taken in within the last {days} days.", "each payout once", "Make sure that both are meant, before the batch is approved."),
  bad_payout_code: error("The payout code has a wrong form.", "1 to 32 letters, digits, - _", "Copy the code that the provider gave you, or leave the cell empty."),
  payout_code_not_allowed: error("This payout code does not belong to the merchant that pays {currency}.", "one of {codes}", "Correct the code, or leave the cell empty. If the merchant has this code too, list it in payout_codes of MERCHANTS_FILE, or in PAYOUT_CODES."),
  callback_not_allowed: error("Callbacks to {origin} are not allowed.", "an address on an allowed host: {origins}", "Leave the cell empty: payrun follows the payout all the same. To allow the host, add it to CALLBACK_HOSTS."),
  callback_with_password: error("The callback address holds a user name or password.", "an address without them", "Write the address without the part before @, or leave the cell empty."),
  bad_callback_url: error("The callback address is not a web address.", "an address that starts with https://", "Write the whole address, or leave the cell empty."),
} satisfies Record<string, ProblemText>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemPlace {
  readonly line?: number | null;
  readonly column?: string | null;
  /** The value exactly as in the file. It is made visible and truncated here. */
  readonly found?: string | null;
  /** Overrides the severity of the table if a setting decides it. */
  readonly severity?: Severity;
}

/** Builds a problem from the text in the table. `values` fill its `{name}` placeholders. */
export function problem(
  code: ProblemCode,
  place: ProblemPlace = {},
  values: Readonly<Record<string, string | number>> = {},
): Problem {
  const text: ProblemText = PROBLEMS[code];
  const { line = null, column = null, found = null } = place;
  const known = { line: line ?? "?", column: column ?? "?", ...values };
  return {
    code,
    severity: place.severity ?? text.severity,
    line,
    column,
    found: found === null ? null : visible(found),
    expected: filled(text.expected, known),
    repair: filled(text.repair, known),
    message: filled(text.message, known),
  };
}

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  if (!text.includes("{")) return text;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`no value for {${name}} in: ${text}`);
    return String(value);
  });
}
