import { createHash } from "node:crypto";
import { bankForm, type RefusedInput, payerReferenceForm } from "./forms.ts";
import { type Html, html } from "./html.ts";
import { instructions, payerReferenceLink } from "./instructions.ts";
import { CATALOGUE, type Language, LANGUAGES } from "./languages/catalogue.ts";
import { money } from "./money.ts";
import { addressOf, type Frame, type PayView, payerReferenceOf } from "./view.ts";

/**
 * Returns a tag that changes with the page: the script compares it, and it is the entity tag of the
 * answer.
 */
export const tagOf = (view: PayView, language: Language): string =>
  `"${createHash("sha256")
    .update(`${language} ${JSON.stringify(view)}`)
    .digest("base64url")}"`;

/** Seconds after which a page without input reloads by itself if scripts are disabled. */
const RELOAD_S = 20;

/** Renders the current state of the payment. */
export function payPage(view: PayView, frame: Frame, given: RefusedInput | null = null): string {
  const { stage } = view;
  const words = CATALOGUE[frame.language];
  if (stage.kind === "bank") {
    const { notice } = stage;
    const told = notice && { values: {}, faults: [{ field: null, text: words.faults[notice] }] };
    const shown = given ?? told;
    const body = html`${merchantLine(view, frame)}${bankForm(view, stage.banks, frame, shown)}`;
    return layout(words.bank.title, body, view, frame);
  }
  if (stage.kind === "pay") {
    const amount = money(stage.amount, frame.language);
    const body = html`${merchantLine(view, frame)}${instructions(stage, frame)}`;
    return layout(words.pay.title(amount), body, view, frame, { reloads: true });
  }
  if (stage.kind === "completed") {
    const paid = stage.paid && money(stage.paid, frame.language);
    const asked = money(stage.asked, frame.language);
    const { title, text, amount, differs } = words.completed;
    const reported = paid && (paid === asked ? amount(paid) : differs(asked, paid));
    const body = html`<p>${text}</p>
${reported ? html`<p>${reported}</p>` : null}`;
    return layout(title, body, view, frame, { tone: "good" });
  }
  const { title, text } = words.ends[stage.kind];
  // Money may arrive late, even after the payment deadline.
  const isOpen = stage.kind !== "declined" && stage.kind !== "closed";
  const amount = html`<p class="amount">${money(view.requested, frame.language)}</p>`;
  const body = html`${amount}<p>${text}</p>
${payerReferenceLink(payerReferenceOf(view), frame)}`;
  return layout(title, body, view, frame, {
    tone: isOpen ? "open" : "over",
    reloads: isOpen,
  });
}

/** Renders the name of the merchant who is paid. */
function merchantLine({ merchant }: PayView, { language }: Frame): Html | null {
  if (merchant === null) return null;
  return html`<p class="merchant">${CATALOGUE[language].merchant(merchant)}</p>
`;
}

/**
 * Renders the page on which the payer enters the reference of their payment. It is separate because
 * a page that reloads by itself loses input.
 */
export function payerReferencePage(
  view: PayView,
  frame: Frame,
  given: RefusedInput | null = null,
): string | null {
  const stage = payerReferenceOf(view);
  if (stage === null) return null;
  const { title } = CATALOGUE[frame.language].payerReference;
  return layout(title, payerReferenceForm(stage, frame, given), view, frame);
}

/** Renders a page that belongs to no payment. It is the same for everybody. */
export function errorPage(
  kind: "noPage" | "tooMany" | "broken",
  { language, files }: Pick<Frame, "language" | "files">,
): string {
  const words = CATALOGUE[language];
  const { title, text } = words[kind];
  return document(title, html`<main><h1>${title}</h1><p>${text}</p></main>`, { language, files });
}

interface LayoutOptions {
  readonly tone?: "good" | "open" | "over";
  readonly reloads?: boolean;
}

function layout(
  title: string,
  body: Html,
  view: PayView,
  frame: Frame,
  { tone, reloads = false }: LayoutOptions = {},
): string {
  const words = CATALOGUE[frame.language];
  const main = html`${frame.environment === "live" ? null : html`<p class="band">${words.noMoney[frame.environment]}</p>`}
<main${tone ? html` class="${tone}"` : null}${reloads ? html` data-look="${addressOf(frame)}" data-tag="${tagOf(view, frame.language)}"` : null}>
<h1>${title}</h1>
${body}
<p role="status" id="said" class="said"></p>
</main>
<footer>
<p>${words.reference}: <span class="value">${view.code}</span></p>
${reloads ? html`<p>${words.refreshes}</p>` : null}
</footer>`;
  return document(title, main, { ...frame, reloads });
}

function document(
  title: string,
  body: Html,
  { language, files, reloads = false }: Pick<Frame, "language" | "files"> & { reloads?: boolean },
): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="stylesheet" href="${files.css}">
<script src="${files.js}" defer></script>
${reloads ? html`<noscript><meta http-equiv="refresh" content="${RELOAD_S}"></noscript>` : null}
</head>
<body>
${languageMenu(language)}
${body}
${translationNote(language)}
</body>
</html>
`.text;
}

/**
 * Renders the language menu. The choice is kept in the address, because the page uses no cookies.
 */
function languageMenu(language: Language): Html {
  const { language: label, name } = CATALOGUE[language];
  return html`<nav class="languages" aria-label="${label}">
<details>
<summary>${GLOBE} ${label}: ${name}</summary>
<ul>
${LANGUAGES.map((tag) => languageLink(tag, tag === language))}
</ul>
</details>
</nav>`;
}

const languageLink = (tag: Language, isCurrent: boolean): Html =>
  html`<li><a href="?lang=${tag}" lang="${tag}" hreflang="${tag}"${isCurrent ? html` aria-current="true"` : null}>${CATALOGUE[tag].name}</a></li>
`;

/** Found by payers who cannot read the language of the page. */
const GLOBE = html`<svg aria-hidden="true" viewBox="0 0 16 16" fill="none" stroke="currentColor"><circle cx="8" cy="8" r="7"/><ellipse cx="8" cy="8" rx="3" ry="7"/><path d="M1 8h14"/></svg>`;

/** Says that the translation is machine-generated, with a link to the original page. */
function translationNote(language: Language): Html | null {
  const { machineMade } = CATALOGUE[language];
  if (machineMade === null) return null;
  return html`<p class="translation">${machineMade} <a href="?lang=en" lang="en" hreflang="en">${CATALOGUE.en.name}</a></p>`;
}
