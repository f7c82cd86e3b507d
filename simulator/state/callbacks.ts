import { Agent, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { Cipher } from "#gateway/wire/cipher.ts";
import { Secret } from "#base/secret.ts";
import type { FaultChooser } from "#simulator/faults/fault-rules.ts";
import type { CallbackFault } from "#simulator/faults/faults.ts";
import type { SimulatedMerchant } from "#simulator/wire/merchants.ts";
import type { KnownDeposit } from "./deposits.ts";
import { type KnownPayout, otherAmount } from "./payouts.ts";
import { SHOWN } from "#simulator/faults/texts.ts";

export interface CallbacksOptions {
  readonly faults: FaultChooser;
  readonly merchantOf: (merchantCode: string) => SimulatedMerchant | null;
  /**
   * Set in the provider's back office. Notified in addition to the request's own address
   * (specification, Events).
   */
  readonly backOfficeUrl: string | null;
}

type Known = KnownPayout | KnownDeposit;

export interface Callbacks {
  /**
   * Sends the final state to the request's address and to the back office's address, if they exist.
   */
  send(known: Known): void;
  counts(): { readonly sent: number; readonly answered: number; readonly unanswered: number };
  stop(): void;
}

const AT_ONCE_MAX = 32;
const ANSWER_MS_MAX = 5000;
const LATE_MS = 3000;
const FORGED_CIPHER = new Cipher(new Secret("forged-key"), new Secret("forged-secret"));

/**
 * Posts status callbacks (gateway.md section 8): `key` encrypted over JSON, and the two codes
 * in clear text. Each is sent once: whether the gateway repeats a failed callback is not
 * documented.
 */
export function createCallbacks({
  faults,
  merchantOf,
  backOfficeUrl,
}: CallbacksOptions): Callbacks {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE_MAX });
  const waiting: { url: URL; body: string }[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const counts = { sent: 0, answered: 0, unanswered: 0 };
  let running = 0;

  function next(): void {
    while (running < AT_ONCE_MAX) {
      const callback = waiting.shift();
      if (!callback) return;
      running += 1;
      counts.sent += 1;
      post(callback.url, callback.body, agent, (isAnswered) => {
        running -= 1;
        counts[isAnswered ? "answered" : "unanswered"] += 1;
        next();
      });
    }
  }

  function enqueue(url: URL, body: string, delayMs = 0): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      waiting.push({ url, body });
      next();
    }, delayMs);
    timers.add(timer);
  }

  return {
    send(known) {
      const merchant = merchantOf(known.merchant);
      const urls = [known.callbackUrl, backOfficeUrl]
        .flatMap((text) => (text === null ? [] : (URL.parse(text) ?? [])))
        .filter(({ protocol }) => /^https?:$/.test(protocol));
      if (!merchant || urls.length === 0) return;
      const { code, amount, currency, name } = known;
      const strike = faults.strike(["callback"], { code, amount, currency, name, attempt: 1 });
      const how = strike?.fault.at === "callback" ? strike.fault.how : null;
      for (const { body, delayMs } of bodiesOf(known, merchant, how, strike?.delayMs ?? LATE_MS)) {
        for (const url of urls) enqueue(url, body, delayMs);
      }
    },
    counts: () => ({ ...counts }),
    stop() {
      for (const timer of timers) clearTimeout(timer);
      waiting.length = 0;
      agent.destroy();
    },
  };
}

interface Planned {
  readonly body: string;
  readonly delayMs: number;
}

/**
 * Callbacks for one transaction and their times: one, immediately, unless a fault says otherwise.
 */
function bodiesOf(
  known: Known,
  { cipher }: SimulatedMerchant,
  how: CallbackFault | null,
  lateMs: number,
): Planned[] {
  const fields = fieldsOf(known);
  const clear = { transaction_code: known.code, transaction_no: known.number };
  const usual = known.kind === "payout" ? asJson : asPairs;
  const sealed = (inner: object, by: Cipher = cipher, shown = clear, write = usual) =>
    JSON.stringify({ key: encodeURIComponent(by.seal(write(inner))), ...shown });
  const now = (body: string): Planned => ({ body, delayMs: 0 });
  const proper = sealed(fields);

  switch (how) {
    case null:
      return [now(proper)];
    case "late":
      return [{ body: proper, delayMs: lateMs }];
    case "repeated":
      return [now(proper), now(proper), { body: proper, delayMs: 200 }];
    case "reordered":
      return [now(proper), { body: sealed({ ...fields, transaction_status: 1 }), delayMs: 200 }];
    case "forged":
      return [now(sealed(fields, FORGED_CIPHER))];
    case "mismatched":
      return [now(sealed(fields, cipher, { ...clear, transaction_code: `${known.code}X` }))];
    case "lost":
      return [];
    case "garbage":
      return [now('{"key":"%%%","transaction_code":[1]}')];
    case "wrong_amount":
      return [now(sealed({ ...fields, transaction_amount: otherAmount(known.amount) }))];
    case "name_value":
      return [now(sealed(fields, cipher, clear, usual === asJson ? asPairs : asJson))];
  }
}

const asJson = (fields: object): string => JSON.stringify(fields);
const asPairs = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

/** Fields of both kinds, in the documents' order (docs/reference/gateway.md section 8). */
function fieldsOf(known: Known): object {
  const { number } = SHOWN[known.state];
  const { code, currency } = known;
  return known.kind === "payout"
    ? {
        transaction_no: known.number,
        transaction_code: code,
        transaction_status: number,
        transaction_amount: known.amount,
        transaction_fee: known.state === "failed" ? "0.00" : known.fee,
        currency_code: currency,
        transaction_ref: "",
      }
    : {
        transaction_code: code,
        transaction_status: number,
        transaction_amount: known.amount,
        transaction_fee: "0.00",
        currency_code: currency,
        transaction_no: known.number,
        transaction_actual_amount: known.paidAmount ?? "0.00",
      };
}

function post(url: URL, body: string, agent: Agent, whenDone: (isAnswered: boolean) => void): void {
  const isSecure = url.protocol === "https:";
  const options = {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    timeout: ANSWER_MS_MAX,
    ...(isSecure ? {} : { agent }),
  };
  let isDone = false;
  const done = (isAnswered: boolean) => {
    if (isDone) return;
    isDone = true;
    whenDone(isAnswered);
  };
  const request = (isSecure ? httpsRequest : httpRequest)(url, options, (response) => {
    response.resume();
    response.on("close", () => done(response.statusCode === 200));
  });
  request.on("timeout", () => request.destroy());
  request.on("error", () => done(false));
  request.end(body);
}
