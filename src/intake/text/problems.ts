import { visible } from "#base/invisible-characters.ts";
import type { ReadingProposal } from "#intake/text/reading-proposal.ts";
import { RAW_SIGNS } from "#payout/rules/layout-limits.ts";

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
  readonly correction: string;
  /** One sentence for people. */
  readonly message: string;
  /** The choices of the uploader, if the file is refused until they are confirmed. */
  readonly proposal?: ReadingProposal;
}

interface ProblemText {
  readonly severity: Severity;
  /** `{name}` is replaced by a value given with the problem. */
  readonly message: string;
  readonly expected: string;
  readonly correction: string;
}

const error = (message: string, expected: string, correction: string): ProblemText => ({
  severity: "error",
  message,
  expected,
  correction,
});
const warning = (message: string, expected: string, correction: string): ProblemText => ({
  severity: "warning",
  message,
  expected,
  correction,
});

const AS_TEXT =
  "In the spreadsheet, format the column as text first, then enter the values again from the source.";
const COMPARE =
  "Compare the value with your own records, and correct it if digits are missing. If all such values are right, confirm that you have checked them when you send the batch for approval.";
const ASK_LAYOUT =
  "Ask the provider which setting the gateway supports: GATEWAY_PAYOUT_LAYOUT=json (payout_layout in MERCHANTS_FILE for one merchant) or GATEWAY_ESCAPING=percent. Both send the value unchanged. Change the setting and upload the row again.";
const PLAIN_AMOUNT = "a plain amount such as {example}";

/**
 * Every problem that payrun can find in a file: its message, what was expected, and how to correct
 * it.
 */
// biome-ignore format: one problem per line
export const PROBLEMS = {
  // The file as a whole
  file_empty: error("The file is empty.", "a header line and at least one row", "Export the file again."),
  file_without_rows: error("The file has a header but no rows.", "at least one row below the header", "Check that no filter has removed the rows, then export the file again."),
  file_too_large: error("The file is larger than {limit} bytes.", "a file of at most {limit} bytes", "Split the file into smaller files."),
  file_not_text: error("This file is {kind}, not a CSV or XLSX file.", "a CSV or XLSX file", "Open the file in the program that created it and save it as CSV (UTF-8)."),
  workbook_too_large: error("The workbook is larger than {limit} bytes when unpacked.", "a workbook of at most {limit} bytes when unpacked", "Save the sheet as CSV (UTF-8). CSV files can be much larger."),
  workbook_broken: error("The workbook cannot be read: {why}.", "a complete XLSX file", "Open the workbook in the program that created it and save it again, or save the sheet as CSV (UTF-8)."),
  workbook_locked: error("The workbook is password-protected.", "a workbook without a password", "Open the workbook, remove the password (in Excel: File > Info > Protect Workbook > Encrypt with Password) and save it again, or save the sheet as CSV (UTF-8)."),
  first_tab_without_cells: error("The first tab in the workbook, {name}, is not a worksheet. It may be a chart.", "the payouts on the first tab", "Move the sheet with the payouts to the front."),
  first_sheet_hidden: error("The first sheet in the workbook, {name}, is hidden.", "the payouts on a visible first sheet", "Unhide that sheet, or move the sheet with the payouts to the front."),
  first_sheet_empty: error("The first sheet in the workbook, {name}, is empty. The workbook has {count} sheets.", "the payouts on the first sheet", "Move the sheet with the payouts to the front."),
  sheets_ignored: warning("The workbook has {count} sheets. Only the first one, {name}, was read.", "a workbook with one sheet", "If all payouts are on that sheet, no action is needed. Otherwise, move the sheet that contains them to the front."),
  rows_hidden: warning("The sheet has hidden rows ({count}). They were read like all other rows.", "visible rows only", "Unhide all rows and check them. Delete any that must not be paid."),
  rows_struck_out: warning("Some rows contain struck-through text ({count}). They were read like all other rows.", "rows without struck-through text", "Delete any rows that must not be paid."),
  columns_hidden: warning("The sheet has hidden columns ({columns}). They were read like all other columns.", "visible columns only", "Unhide all columns and check their values."),
  formulas_read: warning("The sheet contains formulas. Their last saved results were read.", "values without formulas", "Compare the totals with the source, or replace the formulas with their values."),
  formats_by_condition: warning("Conditional formatting may change or hide the numbers shown in {cells}. The stored values were read.", "cells that show their stored values", "Clear the conditional formatting from these cells, then check the values."),
  macros_ignored: warning("The workbook contains macros, which were ignored.", "a workbook without macros", "If the workbook is supposed to contain macros, no action is needed."),
  encoding_invalid: error("The bytes at offset {offset} are not valid {encoding}.", "one encoding throughout the file", "Save the file again as CSV (UTF-8). Do not combine files with different encodings."),
  delimiter_unsupported: error("The file's delimiter is not supported.", "a comma, semicolon or tab as the delimiter", "Save the file with a comma, semicolon or tab as the delimiter."),
  quote_unbalanced: error("The quoted cell starting on line {line} is not closed correctly.", "a closing quote, followed by a delimiter or the end of the line", "Close the quote on line {line}, and double each quote inside a quoted cell."),
  quote_inside_cell: error("A cell on line {line} contains a quote but does not start with one.", "quotes around the whole cell, or no quotes", "Put the whole cell in quotes, and double each quote inside the cell."),
  record_too_large: error("The row on line {line} is larger than {limit} bytes.", "rows of at most {limit} bytes", "Check for a missing quote or missing line breaks."),
  rows_too_many: error("The file has more than {limit} rows.", "at most {limit} rows", "Split the file into smaller files."),
  columns_too_many: error("The header has {count} columns.", "at most {limit} columns", "Delete the columns that are not needed for payouts."),
  line_column_missing: error("The file does not have a column named \"line\".", "the \"line\" column from the file of rejected rows", "Download the rejected rows again and correct them in that file. Do not change the \"line\" column."),
  columns_missing: error("The header is missing {columns}.", "a column for each of user_id, currency_code, transaction_amount and account_name", "Add the missing columns. {hint}"),
  header_missing: error("The first line contains numbers but no column names, so it is not a header.", "a header line above the rows", "Add a line with the column names above the rows. To print such a line, run payrun template CURRENCY."),
  header_further_down: error("The header is not on the first line. It appears to be on line {position}.", "the header on the first line", "Delete the lines above line {position}."),
  header_without_value: error("Column {position} of the header contains an error or an uncalculated formula.", "a name in every cell of the header", "Enter the column name in that cell."),
  header_in_quotes: error("The whole header is enclosed in one pair of quotes, so it was read as a single cell.", "quotes around individual cells, or no quotes", "Export the file again, or remove the quotes around whole lines."),
  column_twice: error("The header contains {column} twice, in columns {first} and {second}.", "each column once", "Delete or rename one of the two columns."),
  column_ignored: warning("Column {column} was not recognised and was ignored.", "a recognised column name", "If the column is not needed for payouts, no action is needed. Otherwise, rename it{hint}."),
  column_unnamed: warning("Column {position} has no name and was ignored.", "a name in the header", "If the column is empty, no action is needed. Otherwise, give it a name."),
  encoding_guessed: warning("The file is not valid UTF-8, so it was read as Windows-1252. Accented letters are accepted for BRL, PHP and cryptocurrencies, where this encoding is usual. For other currencies, a person must confirm them.", "UTF-8", "Check all names with accented letters, or save the file as CSV (UTF-8) and upload it again."),
  rows_at_spreadsheet_limit: warning("The file has exactly {rows} lines, the maximum for a spreadsheet. Some rows may have been cut off.", "all rows from the source", "Compare the number of rows and the total with the source."),

  // The row as a whole
  row_too_short: error("The row has {count} cells, but the header has {columns}.", "{columns} cells, as in the header", "Add the missing cells. Empty cells need a delimiter too."),
  row_too_long: error("The row has {count} cells, but the header has {columns}.", "{columns} cells, as in the header", "Put cells that contain the delimiter in quotes. In a workbook, check whether cells have shifted to the right."),
  row_is_header: error("The line repeats the header.", "a row", "Delete the line. In a combined file, only the first line may be a header."),
  row_is_padding: error("The line contains only NUL or Ctrl-Z characters. Either the end of the file is padding, or the file was cut off.", "a row, or the end of the file", "Compare the number of rows and the total with the source. Then export the file again, or delete the line."),
  lines_in_ignored_cell: warning("A cell in the ignored column {column} spans {count} lines. Stray quotes may have merged other rows into this cell. Those rows would not be paid.", "a cell on one line", "Check the file from line {line} onwards. If the cell contains rows, put each on its own line."),
  row_repeated: warning("This row has the same beneficiary, currency and amount as line {first}.", "each payout once", "Leave one of the two rows out, unless both payouts are intended."),

  line_missing: error("The \"line\" column does not contain a line number.", "the line number from the file of rejected rows", "Download the rejected rows again and do not change the \"line\" column."),
  line_not_rejected: error("Line {line} is not a rejected row in this batch, or it appears twice in this file.", "rejected rows only, each once", "Delete the row. A correction cannot change valid rows."),

  line_stays: error("Line {line} cannot be left out: it is neither rejected nor a valid row with a warning, or it has a comment.", "rows with problems or warnings", "To leave out other rows, delete them from the file and upload it as another batch."),
  line_not_left_out: error("Line {line} was not left out of this batch.", "rows that were left out", "Check the line number."),

  // Any cell
  value_missing: error("{column} is empty, but {currency} payouts require it.", "{expected}", "Enter the value."),
  value_wanted: warning("{column} is empty. The gateway does not require it, but a {currency} payout without it may not arrive.", "{expected}", "Enter the value if you know it."),
  value_unused: warning("{column} is not used for {currency} payouts and will be ignored.", "an empty cell", "If the payout does not need this value, no action is needed. Otherwise, check that it is in the right column."),
  value_too_long: error("{column} is too long.", "at most {limit} characters", "Compare the value with its source, and enter a shorter form that the bank or provider recognises."),
  nul_character: error("{column} contains a NUL character.", "text", "The file is damaged. Export it again."),
  control_character: error("{column} contains a control character, such as a tab or a line break.", "text on one line", "Type the value again."),
  invisible_character: error("{column} contains an invisible character: {character} at position {position}.", "visible characters only", "Delete that character, or type the value instead of pasting it."),
  joiner_not_carried: error("{column} contains {character} at position {position}, which joins or separates letters. The spelling is correct, but it is not known whether the gateway supports this character.", "visible characters only", "Write the name without that character, or in Latin letters as it appears in the bank's records."),
  encoding_doubtful: error("{column} may contain incorrect characters: the file is not valid UTF-8, so payrun read it as Windows-1252. This encoding is usual only for BRL, PHP and cryptocurrencies. For other currencies, a person must confirm the letters.", "text in UTF-8", "Save the file as \"CSV UTF-8\" and upload that file instead, or enter the value again."),
  letters_confirmed: warning("{column} was read as Windows-1252, and the person who corrected the row confirmed its letters.", "text in UTF-8", "Compare the value with your own records."),
  letters_misread: error("{column} contains letters that were decoded with the wrong encoding.", "{meant}", "Export the file again as \"CSV UTF-8\" and upload it without saving it in another program, or enter the value again."),
  letters_lost: warning("{column} contains a question mark. Some programs write a question mark in place of a letter that their encoding does not support.", "the original letters", "Export the file again as \"CSV UTF-8\", or enter the value again."),
  letters_of_zawgyi: warning("{column} is written in Zawgyi, a non-Unicode encoding for Burmese. A bank would read it as a different name.", "a name in Unicode", "Convert the names in the file from Zawgyi to Unicode, or write the name in Latin letters as it appears in the bank's records."),
  lost_character: error("{column} contains U+FFFD, which programs write in place of a letter they cannot read.", "the original letters", "Export the file again as \"CSV UTF-8\", or enter the value again."),
  null_word: error("{column} contains the word null, which the gateway treats as a missing value.", "a value, or an empty cell", "Enter the value, or clear the cell. The program that created the file had no value for this cell."),
  error_value: error("{column} contains a spreadsheet error instead of a value.", "a value", "Correct the formula in the spreadsheet, or enter the value."),
  formula_not_calculated: error("{column} contains a formula without a result: the program that created the workbook did not calculate it.", "a value", "Open the workbook in a spreadsheet program to calculate the formula, then save it. Alternatively, enter the value."),
  missing_word: error("{column} contains a placeholder for a missing value.", "a value, or an empty cell", "Enter the value, or clear the cell. The program that created the file had no value for this cell."),
  name_like_no_value: warning("{column} looks like a placeholder for a missing value.", "a name", "Compare the name with its source. Null can be a surname, but it usually means that the name is missing."),
  not_carried: error("{column} contains a character that the gateway's name=value format does not support.", `a format that supports ${RAW_SIGNS}`, `Do not change the name or key. ${ASK_LAYOUT}`),
  bank_name_not_carried: error("{column} contains an &, which the gateway's name=value format does not support.", "{offered}", `Enter {offered}. The {currency} bank list spells this name with &, but the bank code takes precedence. Alternatively, leave the value unchanged. ${ASK_LAYOUT}`),

  // How the file is read
  columns_unconfirmed: error("Confirm the meaning of each column in the file. payrun suggests {hints}.{lack}", "a confirmed meaning for every column", "Confirm the columns on the upload page, with --column \"NAME=COLUMN\" and --currency on the command line, or with the parameters columns and currency of the API."),
  currency_unconfirmed: error("The file has no column for the currency.", "the currency of all rows", "Choose the currency of all rows on the upload page, with --currency on the command line, or with the parameter currency of the API."),
  currency_given_twice: error("You chose {currency} as the currency of all rows, but the file has a column for the currency.", "the currency in one place", "Remove the choice, or ignore the column."),
  currency_not_available: error("You cannot pay in {currency}.", "one of {currencies}", "Choose one of these currencies. To use another one, add its merchant credentials to the configuration."),
  mapped_column_missing: error("The file has no column {column}.", "names of columns in the file", "Use the names in the header of the file."),
  own_column_mapped: error("The column {column} has one of payrun's own names, so you cannot map it to another column.", "a mapping without payrun's own column names", "Leave it out of the mapping, or rename it in the file."),
  column_mapped_twice: error("Several columns would be read as {column}: {names}.", "one column in the file for {column}", "Choose one column, and ignore the others."),
  columns_read_as: warning("Columns were read by a mapping that the uploader confirmed: {columns}.", "the meaning of each column", "Compare the mapping with the file."),
  currency_of_all_rows: warning("All rows were read as {currency} payouts, because the file has no column for the currency and the uploader or the schedule chose {currency}.", "the currency of all rows", "Compare the currency with the source of the file."),
  amounts_unconfirmed: error("Confirm how the amounts are written. {hint}", "a confirmed amount format", "Confirm the format on the upload page, with --amounts on the command line, or with the parameter amounts of the API."),
  amounts_read_as: warning("Amounts were read in the format {example}, {who}.", "the format of the file", "Compare the totals with their source."),
  file_read_otherwise: error("This file was already uploaded as batch {batch}, read with {reading}. Uploading it with another format or other columns does not create a second batch.", "the same format and columns", "If the batch was read wrongly, cancel it, save the file again with a change, and upload it with the right format and columns."),

  // Currency, amount
  currency_missing: error("The currency is empty.", "one of {currencies}", "Enter the currency code."),
  currency_unknown: error("The currency is unknown.", "one of {currencies}", "Enter the code in capital letters{hint}."),
  currency_without_merchant: error("No merchant credentials are configured for {currency}.", "one of {currencies}", "Add the credentials for {currency} to the configuration, or remove the row."),
  amount_missing: error("The amount is empty.", PLAIN_AMOUNT, "Enter the amount."),
  amount_scientific: error("The amount is in scientific notation: a spreadsheet shortened it.", PLAIN_AMOUNT, "Format the column as a number without an exponent and export the file again."),
  amount_is_a_date: error("The amount is a date: a spreadsheet converted it, or the value is in the wrong column.", PLAIN_AMOUNT, "Format the column as a number and enter the amount again."),
  amount_foreign_digits: error("The amount contains digits other than 0 to 9.", PLAIN_AMOUNT, "Enter the amount using the digits 0 to 9."),
  amount_with_currency: error("The amount contains a currency sign or code.", PLAIN_AMOUNT, "Enter only the number, in full. The currency has its own column."),
  amount_groups_of_two: error("The digits of the amount are in groups of two, as in 1,00,000, unlike the rest of the file.", PLAIN_AMOUNT, "Use the format {example}. If every amount in the file is written like this, upload the file with the amount format 1,25,000.50."),
  amount_trailing_signs: error("The amount is followed by symbols, such as /- or ,-.", PLAIN_AMOUNT, "Enter only the number, without any symbols after it."),
  amount_negative: error("The amount is negative.", "an amount above zero", "Enter the amount to pay as a positive number."),
  amount_separators: error("The amount is not written as {style}.", PLAIN_AMOUNT, "Use the format {example}. If the other amounts in the file are written like this one, upload the file with another amount format."),
  amount_leading_zeros: error("The amount starts with zeros, like an account number.", PLAIN_AMOUNT, "Check that the amount is in this column, and delete the zeros."),
  amount_not_a_number: error("The amount is not a number.", PLAIN_AMOUNT, "Use only digits, with an optional decimal point between them and no sign in front."),
  amount_too_long: error("The amount has more than 15 digits before the decimal point.", PLAIN_AMOUNT, "Check that the amount is in this column."),
  amount_too_many_decimals: error("The amount has more decimals than {currency} allows.", "at most {digits} decimals", "Write the amount with at most {digits} decimals. A spreadsheet may have added \".0\"."),
  amount_decimals_not_payable: error("For {currency}, the gateway pays only amounts without decimals.", "a whole number", "Enter a whole number. payrun does not round amounts."),
  amount_zero: error("The amount is zero.", "an amount above zero", "Enter the amount, or remove the row."),
  amount_above_limit: error("The amount exceeds the limit of {currency} {limit}.", "at most {limit}", "Check the decimal point. If the amount is correct, raise the limit (AMOUNT_LIMITS in the configuration)."),

  // Spreadsheet damage
  lost_leading_zeros: error("{column} lost its leading zeros: a spreadsheet treated it as a number.", "{expected}", AS_TEXT),
  scientific_notation: error("{column} is in scientific notation: a spreadsheet treated it as a number, and digits were lost.", "{expected}", AS_TEXT),
  turned_into_date: error("{column} is a date: a spreadsheet converted it.", "{expected}", AS_TEXT),
  trailing_point_zero: error("{column} ends in .0: a spreadsheet treated it as a number.", "{expected}", AS_TEXT),
  text_marker: error("{column} contains a spreadsheet's text marker (a leading ' or =\"…\").", "{expected}", "Delete the marker. The file does not need it."),
  foreign_digits: error("{column} contains digits other than 0 to 9.", "{expected}", "Enter the value using the digits 0 to 9 (half-width on a Japanese or Chinese keyboard)."),
  maybe_lost_zero: warning("{column} may have lost a leading zero in a spreadsheet.", "{expected}", "Compare the value with its source."),
  digits_lost: warning("{column} ends in zeros after 15 digits. A spreadsheet may have shortened a longer number.", "all digits of the number", "Compare the value with its source."),
  longer_than_usual: warning("The account number has more than 7 digits.", "{expected}", "Compare the number with its source: the cell may contain both the branch and the account number."),
  maybe_country_code: warning("{column} may start with a country code.", "{expected}", "Compare the number with its source. If it includes the country code, remove it."),
  maybe_rewritten: warning("{column} looks like a value that a spreadsheet changed: a date, a number that ends in .0, or a text marker.", "{expected}", "Compare the value with its source."),

  number_not_text: warning("{column} is stored as a number in the workbook, which drops leading zeros.", "a text cell", COMPARE),
  code_not_text: error("{column} is stored as a number in the workbook. If it lost a leading zero, it is now a different code, and payrun would not recognise a duplicate payout.", "a text cell", AS_TEXT),
  digits_not_kept: error("{column} is not displayed as it is stored: the cell's format adds zeros, other digits or words, or hides digits.", "a text cell", AS_TEXT),
  amount_shown_otherwise: error("The amount is not displayed as it is stored: the cell's format shows it in hundredths or thousands, adds digits or a decimal point, or hides it.", "an amount displayed with its stored value", "Give the column a plain format such as 0.00, check the amounts shown, and correct any that are wrong."),
  amount_shown_rounded: warning("The workbook displays fewer digits of the amount than it stores. payrun uses the stored amount.", "an amount displayed with all its digits", "Compare the amount with its source, or enter the intended amount."),
  amount_in_other_currency: warning("The amount's cell format shows {sign}, but the row's currency is {currency}.", "the row's currency sign, or none", "Compare the amount and the currency with their source. payrun uses {currency}."),
  number_not_exact: error("The workbook does not store {column} exactly: it has more digits than a spreadsheet can store.", "a text cell, or a number of at most 15 digits", AS_TEXT),
  cell_merged: error("{column} is part of a merged cell, which shows only the content of its first cell.", "a separate value in each row", "Unmerge the cells in the spreadsheet, check the content of each cell, and enter the intended values."),
  cell_is_a_date: error("{column} is stored as a date in the workbook.", "a text cell or a number", AS_TEXT),

  // Codes, numbers, names, addresses
  bad_user_id: error("user_id is too long.", "{expected}", "Enter your own ID for the user."),
  bad_account_number: error("The account number has an invalid format.", "{expected}", "Enter the number as the bank or wallet provides it, without spaces or dashes. Enter a phone number without its country code."),
  account_without_digits: error("The account number contains no digits. The cells in this row may have shifted.", "{expected}", "Check that every cell in the row is in the right column, and enter the number exactly as the bank provides it."),
  account_of_zeros: error("The account number is all zeros, which some programs write in place of an empty cell.", "{expected}", "Enter the number exactly as the bank provides it."),
  iban_unlike: warning("The account number is not a Turkish IBAN with valid check digits.", "TR and 24 digits, with valid check digits", "Compare the number with its source: a digit may be missing or mistyped, or a 0 may have been typed as the letter O."),
  bad_ifsc: error("The IFSC {fault}.", "{expected}", "Look up the code on a cheque or on the bank's website."),
  ifsc_misspelt: error("The IFSC contains lowercase letters, spaces or dashes.", "{nearest}", "Enter {nearest} if that is the code on a cheque or on the bank's website."),
  ifsc_maybe_letters: warning("The IFSC contains the letter O or I where there is usually a digit.", "{expected}", "Compare the code with a cheque or the bank's website: the letter may be the digit 0 or 1."),
  bad_bank_code: error("The bank code has an invalid format.", "{expected}", "Look up the code in the provider's list of payout banks."),
  bad_branch_code: error("The branch code has an invalid format.", "{expected}", "Look up the branch code in the Zengin list."),
  bad_phone_number: error("The phone number has an invalid format.", "{expected}", "Enter the national number without the country code, spaces or dashes."),
  phone_unlike: warning("The phone number does not look like a Bangladeshi mobile number.", "{expected}", "Compare the number with its source: mobile numbers start with 013 to 019."),
  bad_id_number: error("The ID number has an invalid format.", "{expected}", "Write the 11 digits without dots or dashes. A PIX key belongs in bank_name, unchanged, and its type in bank_code."),
  id_number_is_cnpj: error("The account number is a CNPJ. For BRL, the gateway's specification requires an 11-digit ID number in this column.", "{expected}", "Enter the CNPJ unchanged in bank_name, and CNPJ in bank_code. In this column, enter an 11-digit ID number. Ask the provider which ID number to use for a company."),
  id_check_digits: warning("The check digits of the ID number are wrong.", "a CPF with valid check digits", "Compare the number with its source."),
  pix_key_unlike: warning("{column} does not look like a PIX key of the type given in bank_code.", "{expected}", "Enter the key in {column} and its type in bank_code."),
  wallet_unlike: warning("Account numbers in this wallet are mobile numbers, but this one does not look like a mobile number.", "{expected}", "Compare the number and the bank code with their source: it may be a bank account entered with a wallet's code."),
  bank_unknown: warning("The bank code is not in the {currency} bank list.", "{nearest}", "Check the code in the provider's back office. Codes are case-sensitive."),
  bank_for_deposits: warning("The bank code is for deposits ({name}), not for payouts.", "{nearest}", "Use a code from the list of payout banks."),
  bank_name_of_other: warning("The bank code is that of {own}, but bank_name is that of {nearest}.", "{nearest}, or a different bank name", "Compare the bank's code and name with their source. The code takes precedence."),
  bank_in_maintenance: warning("The bank ({name}) was listed as under maintenance.", "an available bank", "No action is needed. You can ask the provider whether the bank is available again."),
  bad_wallet_address: error("The address is not valid on this chain.", "{expected}", "Copy the address again, and check that it belongs to the currency's chain."),
  bad_wallet_checksum: error("The address checksum is wrong: a character is missing or mistyped.", "{expected}", "Copy the address again. Do not correct it manually."),
  wallet_without_checksum: warning("The address has no checksum, so a typing mistake cannot be detected.", "{expected}", "Check the address against its source, or enter it in mixed-case (checksummed) form."),
  name_starts_a_formula: error("{column} starts with a character that makes spreadsheets treat it as a formula.", "a name", "Compare the cell with its source, and enter the name as it appears in the bank's records. Do not simply delete the character: the rest may be another person's name. If the bank's records show the name in this form, this payout cannot be sent from a file. If the value is a phone number used as a PIX key, write it with + and digits only, such as +5511998765432."),
  name_without_letters: warning("{column} contains no letters.", "a name", "Check that the name is in this column."),
  name_mixes_scripts: warning("{column} mixes letters from different scripts that may look alike.", "a name in one script", "Type the name again in one script, unless the mix is intended."),
  bad_transaction_code: error("The transaction code has an invalid format.", "1 to 64 letters, digits, hyphens, underscores or dots", "Enter a code in the expected format, or leave the cell empty so that payrun creates one."),
  transaction_code_repeated: error("The transaction code is already used on line {first}.", "a unique code for each payout", "If both rows are the same payout, delete one row. Otherwise, give one row a different code."),
  transaction_code_in_use: error("The transaction code is already used on line {first} of batch {batch}.", "a unique code for each payout", "If both rows are the same payout, delete this row. Otherwise, give it a different code, or leave the cell empty so that payrun creates one."),
  being_retried: warning("This row has the same user_id, or the same name, currency and amount, as line {first} of batch {batch}. That batch retries a failed payout and is not finished.", "each payout once", "Do not pay this row as well if it replaces the failed payout: cancel one of the two before the batch is approved."),
  paid_lately: warning("This row has the same beneficiary, currency and amount as line {first} of batch {batch}, uploaded within the last {days} days.", "each payout once", "Before the batch is approved, check that both payouts are intended."),
  bad_payout_code: error("The payout code has an invalid format.", "1 to 32 letters, digits, hyphens or underscores", "Copy the code that the provider gave you, or leave the cell empty."),
  payout_code_not_allowed: error("This payout code does not belong to the merchant that pays {currency}.", "one of {codes}", "Correct the code, or leave the cell empty. If the merchant also has this code, add it to payout_codes in MERCHANTS_FILE, or to PAYOUT_CODES."),
  callback_not_allowed: error("Callbacks to {origin} are not allowed.", "a URL on an allowed host: {origins}", "Leave the cell empty, or add the host to CALLBACK_HOSTS to allow it. payrun tracks the payout either way."),
  callback_with_password: error("The callback URL contains a user name or password.", "a URL without credentials", "Remove the part before the @, or leave the cell empty."),
  bad_callback_url: error("The callback URL is not valid.", "a URL that starts with https://", "Enter the full URL, or leave the cell empty."),
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
    correction: filled(text.correction, known),
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
