import type { Column } from "#intake/header/columns.ts";
import { startsFormula } from "#intake/text/formula.ts";
import { findHiddenCharacter } from "#base/hidden-characters.ts";
import { missingValueCode } from "#intake/text/error-values.ts";
import type { CurrencyPlan, FieldPlan } from "#intake/row-plan.ts";
import type { ProblemCode, Severity } from "#intake/text/problems.ts";
import { isZawgyi, lostLettersSeverity, repairMojibake } from "#intake/text/mojibake.ts";
import { visible } from "#base/invisible-characters.ts";
import { checkAddress } from "#payout/rules/addresses.ts";
import {
  type BankDoubt,
  bankNameOf,
  bankNameWithAnd,
  findBankByName,
  suggestBanks,
  isPayoutBank,
} from "#payout/rules/bank-codes/bank-codes.ts";
import { findBankRuleDoubt } from "#payout/rules/bank-rules.ts";
import { findDamage, formatDoubt, formatFault } from "#payout/rules/formats.ts";
import { ifscFault, suggestIfsc } from "#payout/rules/ifsc.ts";
import { CARRIED_BY_ALL, type Carries, RAW_SIGN } from "#payout/rules/layout-limits.ts";
import { hasLetter, hasMixedScripts } from "#payout/rules/names.ts";
import type { DetailField, PayoutDetails } from "#payout/payout.ts";
import { ADDRESS_LENGTH_MAX, NAME_LENGTH_MAX } from "#payout/rules/currency-rules.ts";

/** A problem or a doubt about one cell. The row adds line, column and the value that was found. */
export interface CellFinding {
  readonly code: ProblemCode;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly severity?: Severity;
}

type Report = (finding: CellFinding) => void;

const CONTROL = /\p{Cc}/u;

/** Returns a cell without surrounding blanks, or "" if the file does not have the column. */
export function trimmed(cells: readonly string[], place: number): string {
  if (place < 0) return "";
  const text = cells[place] ?? "";
  if (text === "" || !(isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1))))
    return text;
  let start = 0;
  let end = text.length;
  while (isBlank(text.charCodeAt(start))) start++;
  while (isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * A space, or the no-break space of web pages. A tab does not count: trimming it would hide a
 * shifted column.
 */
const isBlank = (unit: number) => unit === 0x20 || unit === 0xa0;

/** Typographic spaces. The ideographic space is excluded because East Asian names contain it. */
const OTHER_BLANK = /(?![ \u3000])\p{Zs}/gu;

/** Returns a name as it is sent: with plain spaces, in composed form (NFC). */
const normalizedName = (name: string): string => name.replace(OTHER_BLANK, " ").normalize("NFC");

/** Validates a non-empty cell of a payout's details and returns the value to send. */
export function checkField(
  text: string,
  field: FieldPlan,
  plan: CurrencyPlan,
  report: Report,
): string {
  const { kind, expected } = field;
  const none = missingValueCode(text);
  // Null is a surname, and some people are called Nan.
  const mayBeName = none === "missing_word" && field.column === "account_name";
  if (mayBeName) report({ code: "name_like_no_value" });
  else if (none !== null) {
    report({ code: none });
    return text;
  }
  const fault = kind === "name" || kind === "wallet" ? null : formatFault(kind, text);
  if (fault !== null)
    report({
      code: fault,
      values: { expected, nearest: suggestIfsc(text) ?? "", fault: ifscFault(text) },
    });
  // A malformed code is one problem. A + in it is not reported separately.
  if (!CARRIED_BY_ALL.test(text))
    checkCharacters(text, fault === null ? plan.carries : "any", report, {
      currency: plan.unit.currency,
      column: field.column,
    });
  if (fault !== null) return text;

  if (kind === "name") return checkName(text, field, report);
  if (kind === "wallet") {
    checkWallet(text, plan, expected, report);
    return text;
  }
  const doubt = formatDoubt(kind, text);
  if (doubt !== null) report({ code: doubt, values: { expected } });
  return text;
}

/**
 * Validates text without a fixed form. Text that is sent is also checked against the characters
 * that the request can carry.
 */
export function checkFreeText(
  text: string,
  lengthMax: number,
  report: Report,
  carries: Carries = "any",
): void {
  if (!CARRIED_BY_ALL.test(text)) checkCharacters(text, carries, report);
  if (text.length > lengthMax) report({ code: "value_too_long", values: { limit: lengthMax } });
}

function checkCharacters(
  text: string,
  carries: Carries,
  report: Report,
  of?: { readonly currency: string; readonly column: DetailField },
): void {
  if (CONTROL.test(text)) report({ code: "control_character" });
  const hidden = findHiddenCharacter(text);
  if (hidden) {
    const { isJoiner, ...values } = hidden;
    report({ code: isJoiner ? "joiner_not_carried" : "invisible_character", values });
  }
  if (carries === "any" || !RAW_SIGN.test(text)) return;
  const offered = of?.column === "bank_name" ? bankNameWithAnd(of.currency, text) : null;
  if (of === undefined || offered === null) report({ code: "not_carried" });
  else report({ code: "bank_name_not_carried", values: { offered, currency: of.currency } });
}

const PHONE = /^\+[0-9]+$/;

/**
 * Validates names of people and banks. Only a person's name must be in one script: bank names mix
 * scripts.
 */
function checkName(text: string, field: FieldPlan, report: Report): string {
  if (text.length > NAME_LENGTH_MAX)
    report({ code: "value_too_long", values: { limit: NAME_LENGTH_MAX } });
  const meant = repairMojibake(text);
  if (meant !== null) report({ code: "letters_misread", values: { meant: visible(meant) } });
  const severity = lostLettersSeverity(text);
  if (severity !== null) report({ code: "letters_lost", severity });
  if (isZawgyi(text)) report({ code: "letters_of_zawgyi" });
  const damage = findDamage(text);
  if (damage !== null) report({ code: damage, values: { expected: field.expected } });
  const isPerson = field.column === "account_name";
  // The bank name field may hold a PIX key, which can be a phone number that starts with +.
  if (startsFormula(text) && (isPerson || !PHONE.test(text)))
    report({ code: "name_starts_a_formula" });
  if (!isPerson) return normalizedName(text);

  if (damage === null && !hasLetter(text)) report({ code: "name_without_letters" });
  if (CARRIED_BY_ALL.test(text)) return text;
  if (hasMixedScripts(text)) report({ code: "name_mixes_scripts" });
  return normalizedName(text);
}

function checkWallet(text: string, plan: CurrencyPlan, expected: string, report: Report): void {
  if (plan.chain === null || text.length > ADDRESS_LENGTH_MAX) {
    report({ code: "bad_wallet_address", values: { expected } });
    return;
  }
  const verdict = checkAddress(plan.chain, text);
  if (verdict === "not_an_address") report({ code: "bad_wallet_address", values: { expected } });
  if (verdict === "bad_checksum") report({ code: "bad_wallet_checksum", values: { expected } });
  if (verdict === "valid_without_checksum")
    report({ code: "wallet_without_checksum", values: { expected } });
}

/** Validates the bank code, and the account number whose type it determines. */
export function checkByBank(
  details: PayoutDetails,
  plan: CurrencyPlan,
  severity: "warn" | "error",
  reportOn: (column: DetailField, found: string) => Report,
): void {
  const { bank_code: code, bank_name: name = "" } = details;
  // A placeholder for a missing value is already reported.
  if (code === undefined || missingValueCode(code) !== null) return;
  checkBank(code, name, plan, severity, reportOn("bank_code", code));
  const odd = findBankRuleDoubt(plan.unit.currency, details);
  if (!odd) return;
  const { field, doubt, expected } = odd;
  const found = details[field] ?? "";
  if (missingValueCode(found) === null)
    reportOn(field, found)({ code: doubt, values: { expected } });
}

/**
 * Maximum number of cached bank code answers. Files repeat their unknown codes, and each search for
 * similar codes scans the table.
 */
const ANSWERS_MAX = 2_000;

/** Validates a bank code against the table of its currency. */
export function checkBank(
  code: string,
  name: string,
  plan: CurrencyPlan,
  severity: "warn" | "error",
  report: Report,
): void {
  const { currency } = plan.unit;
  if (isPayoutBank(currency, code)) {
    const meant = findBankByName(currency, code, name);
    if (meant !== null) {
      const own = bankNameOf(currency, code) ?? code;
      report({ code: "bank_name_of_other", values: { own, nearest: meant } });
    }
    return;
  }
  const answer = bankAnswer(code, name, plan);
  if (answer.kind === "maintenance") {
    report({ code: "bank_in_maintenance", values: { name: answer.name } });
    return;
  }
  const nearest = answer.nearest.join(", ") || "a code from the provider's list";
  const values = { currency, nearest, name: answer.deposit ?? "" };
  const finding = answer.deposit === null ? "bank_unknown" : "bank_for_deposits";
  report({ code: finding, values, severity: severity === "error" ? "error" : "warning" });
}

function bankAnswer(code: string, name: string, plan: CurrencyPlan): BankDoubt {
  const key = `${code}|${name}`;
  const kept = plan.bankCodeFindings.get(key);
  if (kept) return kept;
  const answer = suggestBanks(
    plan.unit.currency,
    code.slice(0, 40),
    name.slice(0, NAME_LENGTH_MAX),
  );
  if (plan.bankCodeFindings.size >= ANSWERS_MAX) plan.bankCodeFindings.clear();
  plan.bankCodeFindings.set(key, answer);
  return answer;
}

export type Find = (column: Column, found: string) => (finding: CellFinding) => void;
