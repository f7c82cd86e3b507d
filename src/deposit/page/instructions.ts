import { html, type Html } from "./html.ts";
import { CATALOGUE } from "./languages/catalogue.ts";
import type { Label, Messages } from "./languages/messages.ts";
import { money } from "./money.ts";
import { qrPicture, upiLink } from "./qr.ts";
import { addressOf, type Frame, type PayerReferenceStage, type Stage } from "./view.ts";

type Pay = Extract<Stage, { kind: "pay" }>;
/** The currency is shown before the value, and not copied. */
type Row = readonly [label: Label, value: string, currency?: string];

/** Renders the payment instructions: amount, time limit, destination. */
export function instructions(stage: Pay, frame: Frame): Html {
  const words = CATALOGUE[frame.language];
  const { amount, destination, payerReference } = stage;
  const rows: readonly Row[] = [["amount", amount.amount, amount.currency], ...rowsOf(destination)];
  return html`<p>${words.pay.exactly}</p>
${timeLimit(stage, frame, words)}
${destination.kind === "upi" ? upi(destination.upiId, stage, frame, words) : null}
${destination.kind === "match_code" ? matchCode(destination.matchCode, words) : null}
<h2>${words.pay.details}</h2>
<dl class="rows">
${rows.filter(([, value]) => value !== "").map(([label, value, currency]) => row(words.labels[label], value, words, currency))}
</dl>
<p class="waiting">${words.pay.waiting}</p>
${payerReferenceLink(payerReference, frame)}`;
}

function rowsOf(destination: Pay["destination"]): readonly Row[] {
  switch (destination.kind) {
    case "upi":
      return [["upiId", destination.upiId]];
    case "wallet":
      return [
        ["walletCode", destination.walletCode],
        ["walletNumber", destination.walletNumber],
        ["walletNumberType", destination.walletNumberType ?? ""],
        ["walletName", destination.walletName],
      ];
    case "match_code":
      return [
        ["walletCode", destination.walletCode],
        ["walletNumber", destination.walletNumber],
        ["walletName", destination.walletName],
      ];
    case "bank":
      return [
        ["accountNumber", destination.accountNumber],
        ["accountName", destination.accountName],
      ];
    case "krw_account":
      return [
        ["bankName", destination.bankName],
        ["accountNumber", destination.accountNumber],
        ["accountName", destination.accountName],
      ];
  }
}

/**
 * The copy button is shown by the script that handles it: without the script it would do nothing.
 */
const row = (label: string, value: string, words: Messages, currency?: string): Html =>
  html`<div><dt>${label}</dt><dd><span>${currency ? `${currency} ` : null}<span class="value">${value}</span></span>
<button type="button" hidden data-copy="${value}" data-said="${words.copied(label)}" aria-label="${words.copy(label)}">${words.copyShort}</button></dd></div>
`;

/**
 * Renders the time limit as the gateway's text. The script shows it in the payer's time zone, and
 * counts down from the time that is left now.
 */
function timeLimit({ expiry }: Pay, { nowMs }: Frame, words: Messages): Html {
  if (expiry === null) return html`<p class="until">${words.pay.noExpiry}</p>`;
  const told = `${expiry.at} (${expiry.timezone})`;
  if (expiry.atMs === null) return html`<p class="until">${words.pay.until} ${told}</p>`;
  const moment = new Date(expiry.atMs).toISOString();
  return html`<p class="until">${words.pay.until} <time datetime="${moment}">${told}</time>
<span class="left" role="timer" hidden data-left-ms="${expiry.atMs - nowMs}" data-words="${words.pay.left}"></span></p>`;
}

function upi(upiId: string, { amount }: Pay, { language }: Frame, words: Messages): Html {
  const link = upiLink(upiId, amount.amount);
  return html`<div class="scan">
${qrPicture(link, words.upi.picture(money(amount, language)))}
<p>${words.upi.scan}</p>
<p><a class="button" href="${link}">${words.upi.open}</a></p>
</div>`;
}

const matchCode = (code: string, words: Messages): Html =>
  html`<section class="match" aria-labelledby="match">
<h2 id="match">${words.matchCode.heading}</h2>
<p class="code"><span class="value">${code}</span>
<button type="button" hidden data-copy="${code}" data-said="${words.copied(words.labels.matchCode)}" aria-label="${words.copy(words.labels.matchCode)}">${words.copyShort}</button></p>
<p>${words.matchCode.text}</p>
</section>`;

/** Renders the link to the page for the payer's reference, and whether one was sent. */
export function payerReferenceLink(stage: PayerReferenceStage | null, frame: Frame): Html | null {
  if (stage === null) return null;
  const { taken, link } = CATALOGUE[frame.language].payerReference;
  return html`${stage.isGiven ? html`<p class="given">${taken}</p>` : null}
<p><a href="${addressOf(frame, "reference")}">${link}</a></p>`;
}
