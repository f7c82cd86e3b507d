import { createHash, timingSafeEqual } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import { environmentNow, type ServerDeps } from "#views/deps.ts";
import { refuseUnknownHost } from "#http/server/hosts.ts";
import { payFiles } from "#http/deposit/page-files.ts";
import { PAY_FORMS } from "#http/deposit/page-forms.ts";
import { payViewOf } from "#http/deposit/page-view.ts";
import { answerProblem, problemOf } from "#http/server/problems.ts";
import { hasPayerReference } from "#ledger/deposit/payer-reference.ts";
import { type Deposit, findDepositByLink } from "#ledger/deposit/deposits.ts";
import type { RefusedInput } from "#deposit/page/forms.ts";
import { CATALOGUE, findLanguage, languageOf } from "#deposit/page/languages/catalogue.ts";
import { payerReferencePage, payPage, errorPage, tagOf } from "#deposit/page/page.ts";
import { addressOf, type Frame, type PayView } from "#deposit/page/view.ts";
import { laneParts } from "#payout/payout.ts";

/**
 * Limit per address. An open page requests its state twelve times a minute, and the users of a
 * mobile network share one address.
 */
const PAGE_RATE = { perSecond: 20, burst: 200 };
/** Limit per deposit. Submitted forms cause requests to the gateway. */
const FORM_RATE = { perSecond: 1 / 30, burst: 6 };

/** One request for the page of a deposit. */
interface Visit {
  readonly deposit: Deposit;
  /** The page below the address of the payment. Null: the payment itself. */
  readonly page: string | null;
  readonly view: PayView;
  readonly frame: Frame;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Serves the payment pages to every person who has the link: without sign-in, cookies or any part
 * of the dashboard. An address without a payment always gets the same answer, after the same ledger
 * query.
 */
export async function payPages(app: FastifyInstance, deps: ServerDeps): Promise<void> {
  const { database, sealer, clock } = deps;
  const files = payFiles("/pay/files");
  const mayLook = bucketPerSender(PAGE_RATE, () => clock.monotonicMs());
  const mayHandIn = bucketPerSender(FORM_RATE, () => clock.monotonicMs());
  await app.register(helmet, HEADERS);
  readForms(app);
  answerErrors(app, deps, files.names);

  // One route for all addresses, so that the framework cannot refuse one with a different answer.
  app.all("/pay/*", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const file = files.at(path);
    if (file) return reply.headers(IMMUTABLE).type(file.type).send(file.text);
    const look = { ...languageIn(request), files: files.names };
    if (!mayLook(request.ip)) return stray(reply, "tooMany", look);

    const [, , token = "", page = null, ...more] = path.split("/");
    const deposit = await findDepositByLink(database, sealer, token);
    if (!deposit || more.length > 0) return stray(reply, "noPage", look);

    const nowMs = clock.nowMs();
    const address = `/pay/${token}`;
    const environment = environmentNow(deps);
    const frame: Frame = { ...look, nowMs, address, formToken: formTokenOf(token), environment };
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead && (request.method !== "POST" || page === null)) {
      return stray(reply, "noPage", look);
    }
    const isReferenceGiven = await hasPayerReference(database, deposit.id);
    const view = payViewOf({ deposit, isReferenceGiven, nowMs }, merchantNameOf(deposit, deps));
    const visit: Visit = { deposit, page, view, frame, request, reply };
    return isRead ? show(visit) : handIn(visit, deps, mayHandIn);
  });
}

function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const form = "application/x-www-form-urlencoded";
  app.addContentTypeParser(form, { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume(); // Unknown form: its content is discarded.
    done(null, "");
  });
}

function answerErrors(
  app: FastifyInstance,
  { config, log }: ServerDeps,
  files: Frame["files"],
): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "cache-control": "no-store", "x-robots-tag": "noindex, nofollow" });
    refuseUnknownHost(request, config);
  });
  app.setErrorHandler(async (error, request, reply) => {
    const look = { ...languageIn(request), files };
    const problem = problemOf(error);
    if (problem?.code === "unknown_host") return answerProblem(reply, problem);
    // A method or a body that none of these pages sends.
    if (problem && problem.status < 500) return stray(reply, "noPage", look);
    log.error({ err: error }, "failed to show a payment page"); // No address in the log: it gives access.
    return stray(reply, "broken", look);
  });
}

/** Returns the display name of the deposit's merchant. Null: none is configured. */
function merchantNameOf({ lane }: Deposit, { deposits }: ServerDeps): string | null {
  const { merchantCode } = laneParts(lane);
  const merchant = deposits.keyring.all.find((each) => each.merchantCode === merchantCode);
  return merchant?.displayName ?? null;
}

/** Returns the language chosen in the menu, or otherwise the one that the browser prefers. */
function languageIn({ url, headers }: FastifyRequest): Pick<Frame, "language" | "query"> {
  const chosen = findLanguage(new URLSearchParams(url.split("?", 2)[1]).get("lang") ?? "");
  return chosen
    ? { language: chosen, query: `?lang=${chosen}` }
    : { language: languageOf(headers["accept-language"]), query: "" };
}

const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).type("text/html; charset=utf-8").send(page);

const stray = (
  reply: FastifyReply,
  kind: keyof typeof ERROR_STATUS,
  look: Pick<Frame, "language" | "files">,
): FastifyReply => send(reply, ERROR_STATUS[kind], errorPage(kind, look));

function show({ page, view, frame, reply }: Visit): FastifyReply {
  if (page === null) {
    return send(reply.header("etag", tagOf(view, frame.language)), 200, payPage(view, frame));
  }
  // The address to which a form was sent is loaded again as a page.
  if (page === "account") return reply.redirect(addressOf(frame), 303);
  if (page !== "reference") return stray(reply, "noPage", frame);
  const text = payerReferencePage(view, frame);
  return text === null ? reply.redirect(addressOf(frame), 303) : send(reply, 200, text);
}

async function handIn(
  { deposit, page, view, frame, request, reply }: Visit,
  { deposits }: ServerDeps,
  mayHandIn: (code: string) => boolean,
): Promise<FastifyReply> {
  const form = page !== null && Object.hasOwn(PAY_FORMS, page) ? PAY_FORMS[page] : undefined;
  if (!form) return stray(reply, "noPage", frame);
  const words = CATALOGUE[frame.language];
  const values = valuesOf(request);
  const faults = form.faultsIn(view, values, words);
  if (faults === null) return reply.redirect(addressOf(frame), 303);

  const again = (shown: RefusedInput["faults"]) => {
    const text = form.page(view, frame, { values, faults: shown });
    return text === null ? reply.redirect(addressOf(frame), 303) : send(reply, 422, text);
  };
  if (!isOwnForm(request, values, frame)) return again([{ field: null, text: words.faults.form }]);
  if (faults.length > 0) return again(faults);
  if (!mayHandIn(deposit.code)) return stray(reply, "tooMany", frame);
  const taken = await form.send(deposit.code, values, deposits);
  if (taken.ok) return reply.redirect(addressOf(frame), 303);
  const { kind } = taken.error;
  if (kind === "refused") return again([{ field: null, text: words.faults.notTaken }]);
  if (kind === "frozen" || kind === "gateway_did_not_accept") {
    return again([{ field: null, text: words.faults.notNow }]);
  }
  return reply.redirect(addressOf(frame), 303); // The page shows the next step.
}

/** Returns the fields of a form, each once, without the spaces that copying adds. */
const valuesOf = ({ body }: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new URLSearchParams(typeof body === "string" ? body : "")].map(([name, value]) => [
      name,
      value.trim(),
    ]),
  );

/**
 * Whether a form comes from our own page. Another site's page cannot know the token; in addition,
 * browsers report the origin of a form.
 */
function isOwnForm(
  { headers }: FastifyRequest,
  { form = "" }: Readonly<Record<string, string>>,
  { formToken }: Frame,
): boolean {
  const site = headers["sec-fetch-site"];
  const given = Buffer.from(form);
  const wanted = Buffer.from(formToken);
  return (
    (site === undefined || site === "same-origin") &&
    given.length === wanted.length &&
    timingSafeEqual(given, wanted)
  );
}

const ERROR_STATUS = { noPage: 404, tooMany: 429, broken: 500 } as const;
const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" };

/**
 * Returns the token that proves that a form comes from our page. Creating it requires the link,
 * which is all that a payer has.
 */
const formTokenOf = (token: string): string =>
  createHash("sha256").update(`payrun pay form ${token}`).digest("base64url");

const SELF = "'self'";
/**
 * Permits one style, one script and forms to our own origin; no pictures, no frames, and no
 * referrer that would disclose the link.
 */
const HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: [SELF],
      styleSrc: [SELF],
      connectSrc: [SELF],
      formAction: [SELF],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: "no-referrer" as const },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
  xFrameOptions: { action: "deny" as const },
};
