import type { DepositBank } from "#deposit/outcome.ts";
import { html, type Html } from "./html.ts";
import { CATALOGUE } from "./languages/catalogue.ts";
import type { Messages } from "./languages/messages.ts";
import { money } from "./money.ts";
import { addressOf, type Frame, type PayerReferenceStage, type PayView } from "./view.ts";

/** Form input that was refused. It is shown again, with its errors. */
export interface RefusedInput {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

interface Fault {
  /** The field that the error concerns. Null: the whole form. */
  readonly field: "bank_code" | "account_number" | "reference" | null;
  readonly text: string;
}

/** Renders the form for the second step of a KRW deposit: the account from which the payer pays. */
export function bankForm(
  view: PayView,
  banks: readonly DepositBank[],
  frame: Frame,
  given: RefusedInput | null,
): Html {
  const words = CATALOGUE[frame.language];
  const { text, account, accountHint, send } = words.bank;
  const value = given?.values["account_number"] ?? "";
  return html`<p>${text(money(view.requested, frame.language))}</p>
${summary(given, words)}
<form method="post" action="${addressOf(frame, "account")}" autocomplete="off">
${token(frame)}
${bankField(banks, given, words)}
<div class="field">
<label for="account_number">${account}</label>
<p class="hint" id="account_number-hint">${accountHint}</p>
${faultOf("account_number", given)}
<input id="account_number" name="account_number" inputmode="numeric" maxlength="40" required ${described("account_number", given, true)} value="${value}">
</div>
<button type="submit">${send}</button>
</form>`;
}

/**
 * Renders a list of banks if the gateway sent a readable one. Otherwise the payer types the
 * gateway's name of the bank.
 */
function bankField(
  banks: readonly DepositBank[],
  given: RefusedInput | null,
  words: Messages,
): Html {
  const chosen = given?.values["bank_code"] ?? "";
  const { bank, choose, code } = words.bank;
  if (banks.length === 0) {
    return html`<div class="field">
<label for="bank_code">${code}</label>
${faultOf("bank_code", given)}
<input id="bank_code" name="bank_code" maxlength="100" required ${described("bank_code", given)} value="${chosen}">
</div>`;
  }
  return html`<div class="field">
<label for="bank_code">${bank}</label>
${faultOf("bank_code", given)}
<select id="bank_code" name="bank_code" required ${described("bank_code", given)}>
<option value="">${choose}</option>
${banks.map(({ code, name }) => html`<option value="${code}"${code === chosen ? html` selected` : null}>${name}</option>`)}
</select>
</div>`;
}

/** Renders the form in which a payer enters the reference of their payment. */
export function payerReferenceForm(
  { currency }: PayerReferenceStage,
  frame: Frame,
  given: RefusedInput | null,
): Html {
  const words = CATALOGUE[frame.language];
  const { text, label, hint, send, back } = words.payerReference;
  const value = given?.values["reference"] ?? "";
  return html`<p>${text}</p>
${summary(given, words)}
<form method="post" action="${addressOf(frame, "reference")}" autocomplete="off">
${token(frame)}
<div class="field">
<label for="reference">${label}</label>
<p class="hint" id="reference-hint">${hint[currency]}</p>
${faultOf("reference", given)}
<input id="reference" name="reference" maxlength="64" required ${described("reference", given, true)} value="${value}">
</div>
<button type="submit">${send}</button>
</form>
<p><a href="${addressOf(frame)}">${back}</a></p>`;
}

const token = ({ formToken }: Frame): Html =>
  html`<input type="hidden" name="form" value="${formToken}">`;

/** Renders the list of all errors above the form, each with a link to its field. */
function summary(given: RefusedInput | null, words: Messages): Html | null {
  if (given === null) return null;
  return html`<div class="faults" role="alert">
<h2>${words.faults.title}</h2>
<ul>
${given.faults.map(({ field, text }) => html`<li>${field ? html`<a href="#${field}">${text}</a>` : text}</li>`)}
</ul>
</div>`;
}

const isFaulty = (field: Fault["field"], given: RefusedInput | null): boolean =>
  given?.faults.some((fault) => fault.field === field) ?? false;

function faultOf(field: Fault["field"], given: RefusedInput | null): Html | null {
  const fault = given?.faults.find((each) => each.field === field);
  return fault ? html`<p class="fault" id="${field}-fault">${fault.text}</p>` : null;
}

function described(
  field: string & Fault["field"],
  given: RefusedInput | null,
  hasHint = false,
): Html {
  const faulty = isFaulty(field, given);
  const ids = [...(hasHint ? [`${field}-hint`] : []), ...(faulty ? [`${field}-fault`] : [])];
  return html`${ids.length > 0 ? html` aria-describedby="${ids.join(" ")}"` : null}${faulty ? html` aria-invalid="true"` : null}`;
}
