import { startsFormula } from "#batch/formula.ts";
import { hiddenIn } from "#batch/hidden.ts";
import { noValueOf } from "#batch/no-value.ts";
import type { CurrencyPlan, FieldPlan } from "#batch/plan.ts";
import type { ProblemCode, Severity } from "#batch/problems.ts";
import { isZawgyi, lostLetters, meantName } from "#batch/spoilt-letters.ts";
import { visible } from "#batch/visible.ts";
import { checkAddress } from "#payout/addresses.ts";
import { type BankDoubt, bankOfName, doubtBank, isPayoutBank } from "#payout/banks/lookup.ts";
import { doubtByBank } from "#payout/by-bank.ts";
import { damageOf, doubtOf, faultOf, meantIfsc } from "#payout/formats.ts";
import { CARRIED_BY_ALL, type Carries, RAW_SIGN } from "#payout/layout-limits.ts";
import { hasLetter, hasMixedScripts } from "#payout/names.ts";
import type { DetailField, PayoutDetails } from "#payout/payout.ts";
import { ADDRESS_LENGTH_MAX, NAME_LENGTH_MAX } from "#payout/rules.ts";

/** What is wrong or odd about one cell; the row adds line, column and what was found. */
export interface CellFinding {
  readonly code: ProblemCode;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly severity?: Severity;
}

type Report = (finding: CellFinding) => void;

const CONTROL = /\p{Cc}/u;

/** A cell without the blanks around it; "" where the file does not have the column. */
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

/** A blank, or the no-break space of web pages. A tab is not: it would hide a shifted column. */
const isBlank = (unit: number) => unit === 0x20 || unit === 0xa0;

/** Blanks that are there for the look of a page. The wide one of East Asia is how names are written there. */
const OTHER_BLANK = /(?![ \u3000])\p{Zs}/gu;

/** A name as it is sent: with plain blanks, and in the composed form (NFC). */
const asSent = (name: string): string => name.replace(OTHER_BLANK, " ").normalize("NFC");

/** Checks a filled cell of a payout's details and returns the value that is sent. */
export function checkField(
  text: string,
  field: FieldPlan,
  plan: CurrencyPlan,
  report: Report,
): string {
  const { kind, expected } = field;
  const none = noValueOf(text);
  // Null is a surname, and some people are called Nan.
  const mayBeName = none === "missing_word" && field.column === "account_name";
  if (mayBeName) report({ code: "name_like_no_value" });
  else if (none !== null) {
    report({ code: none });
    return text;
  }
  const fault = kind === "name" || kind === "wallet" ? null : faultOf(kind, text);
  if (fault !== null) report({ code: fault, values: { expected, nearest: meantIfsc(text) ?? "" } });
  // A code of a wrong form is one problem: that it holds a + as well says nothing new.
  if (!CARRIED_BY_ALL.test(text))
    checkCharacters(text, fault === null ? plan.carries : "any", report);
  if (fault !== null) return text;

  if (kind === "name") return checkName(text, field, report);
  if (kind === "wallet") {
    checkWallet(text, plan, expected, report);
    return text;
  }
  const doubt = doubtOf(kind, text);
  if (doubt !== null) report({ code: doubt, values: { expected } });
  return text;
}

/** Checks a text that has no form of its own. A text that is sent names how values are carried. */
export function checkFreeText(
  text: string,
  lengthMax: number,
  report: Report,
  carries: Carries = "any",
): void {
  if (!CARRIED_BY_ALL.test(text)) checkCharacters(text, carries, report);
  if (text.length > lengthMax) report({ code: "value_too_long", values: { limit: lengthMax } });
}

function checkCharacters(text: string, carries: Carries, report: Report): void {
  if (CONTROL.test(text)) report({ code: "control_character" });
  const hidden = hiddenIn(text);
  if (hidden) {
    const { isJoiner, ...values } = hidden;
    report({ code: isJoiner ? "joiner_not_carried" : "invisible_character", values });
  }
  if (carries === "raw" && RAW_SIGN.test(text)) report({ code: "not_carried" });
}

const PHONE = /^\+[0-9]+$/;

/** Names of people and banks. Only a person's name is asked for letters of one script: banks mix theirs. */
function checkName(text: string, field: FieldPlan, report: Report): string {
  if (text.length > NAME_LENGTH_MAX)
    report({ code: "value_too_long", values: { limit: NAME_LENGTH_MAX } });
  const meant = meantName(text);
  if (meant !== null) report({ code: "letters_misread", values: { meant: visible(meant) } });
  const severity = lostLetters(text);
  if (severity !== null) report({ code: "letters_lost", severity });
  if (isZawgyi(text)) report({ code: "letters_of_zawgyi" });
  const damage = damageOf(text);
  if (damage !== null) report({ code: damage, values: { expected: field.expected } });
  const isPerson = field.column === "account_name";
  // In the place of a bank's name may stand the key of its account: a phone number with its + before it.
  if (startsFormula(text) && (isPerson || !PHONE.test(text)))
    report({ code: "name_starts_a_formula" });
  if (!isPerson) return asSent(text);

  if (damage === null && !hasLetter(text)) report({ code: "name_without_letters" });
  if (CARRIED_BY_ALL.test(text)) return text;
  if (hasMixedScripts(text)) report({ code: "name_mixes_scripts" });
  return asSent(text);
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

/** Checks the bank code, and the number of which it tells what it is. */
export function checkByBank(
  details: PayoutDetails,
  plan: CurrencyPlan,
  severity: "warn" | "error",
  reportOn: (column: DetailField, found: string) => Report,
): void {
  const { bank_code: code, bank_name: name = "" } = details;
  // A word that stands for no value was told as that.
  if (code === undefined || noValueOf(code) !== null) return;
  checkBank(code, name, plan, severity, reportOn("bank_code", code));
  const odd = doubtByBank(plan.unit.currency, details);
  if (!odd) return;
  const { field, doubt, expected } = odd;
  const found = details[field] ?? "";
  if (noValueOf(found) === null) reportOn(field, found)({ code: doubt, values: { expected } });
}

/** A file repeats its unknown codes, and each look for the nearest ones walks over the table. */
const ANSWERS_MAX = 2_000;

/** Checks a bank code against the table of its currency. */
export function checkBank(
  code: string,
  name: string,
  plan: CurrencyPlan,
  severity: "warn" | "error",
  report: Report,
): void {
  const { currency } = plan.unit;
  if (isPayoutBank(currency, code)) {
    const meant = bankOfName(currency, code, name);
    if (meant !== null) report({ code: "bank_name_of_other", values: { nearest: meant } });
    return;
  }
  const answer = bankAnswer(code, name, plan);
  if (answer.kind === "maintenance") {
    report({ code: "bank_in_maintenance", values: { name: answer.name } });
    return;
  }
  const nearest = answer.nearest.join(", ") || "a code of the provider's list";
  const values = { currency, nearest, name: answer.deposit ?? "" };
  const finding = answer.deposit === null ? "bank_unknown" : "bank_for_deposits";
  report({ code: finding, values, severity: severity === "error" ? "error" : "warning" });
}

function bankAnswer(code: string, name: string, plan: CurrencyPlan): BankDoubt {
  const key = `${code}|${name}`;
  const kept = plan.bankDoubts.get(key);
  if (kept) return kept;
  const answer = doubtBank(plan.unit.currency, code.slice(0, 40), name.slice(0, NAME_LENGTH_MAX));
  if (plan.bankDoubts.size >= ANSWERS_MAX) plan.bankDoubts.clear();
  plan.bankDoubts.set(key, answer);
  return answer;
}
