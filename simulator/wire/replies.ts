import type { IncomingMessage, ServerResponse } from "node:http";
import type { Strike } from "#simulator/faults/fault-rules.ts";
import type { Reply } from "#simulator/faults/faults.ts";

/** The answer that would be given without a fault. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** One endpoint of the gateway: answers a request, through the end of the response. */
export type Answerer = (
  request: IncomingMessage,
  response: ServerResponse,
  merchant: string,
  body: string,
) => void;

const HUGE_BYTES = 200 * 1024 * 1024;
const HUGE_PIECE = Buffer.alloc(64 * 1024, " ");
const DELAY_MS = 2000;
const DRIP_MS = 1000;

/** Sends a response, as JSON unless another type is given. */
export function send(
  response: ServerResponse,
  { status, body }: Answer,
  type = "application/json",
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** Sends the proper answer, or the reply of the fault that strikes it. */
export function sendUnlessStruck(
  request: IncomingMessage,
  response: ServerResponse,
  proper: Answer,
  strike: Strike | null,
): void {
  if (strike && "reply" in strike.fault) {
    sendFaulty(request, response, strike.fault.reply, proper, strike.delayMs);
  } else {
    send(response, proper);
  }
}

/** Writes a fault's reply instead of the proper answer. */
export function sendFaulty(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  proper: Answer,
  delayMs: number | null,
): void {
  switch (reply.kind) {
    case "cut":
      request.socket.destroy();
      return;
    case "reset":
      request.socket.resetAndDestroy();
      return;
    case "hang":
      return;
    case "delay":
      setTimeout(() => send(response, proper), delayMs ?? DELAY_MS);
      return;
    case "http":
      send(response, reply, reply.type, reply.headers);
      return;
    case "half_body":
      send(response, { ...proper, body: proper.body.slice(0, proper.body.length / 2) });
      return;
    case "broken_off":
      writeHead(response, proper);
      response.write(proper.body.slice(0, proper.body.length / 2), () => request.socket.destroy());
      return;
    case "drip":
      writeHead(response, proper);
      sendSlowly(response, proper.body, delayMs ?? DRIP_MS);
      return;
    case "huge":
      sendHuge(response);
      return;
  }
}

function writeHead(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  response.flushHeaders();
}

function sendSlowly(response: ServerResponse, body: string, everyMs: number): void {
  let index = 0;
  const timer = setInterval(() => {
    if (response.destroyed) return clearInterval(timer);
    response.write(body.charAt(index));
    index += 1;
    if (index < body.length) return;
    clearInterval(timer);
    response.end();
  }, everyMs);
}

function sendHuge(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": HUGE_BYTES });
  let left = HUGE_BYTES;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= HUGE_PIECE.length;
      if (response.write(HUGE_PIECE)) continue;
      response.once("drain", more);
      return;
    }
    response.end();
  };
  more();
}
