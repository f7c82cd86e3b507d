/**
 * Connections that carry one payout after another: an answer is never assigned to another payout.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { generate } from "selfsigned";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { GatewayClient } from "#gateway/client.ts";
import { clientTo, submit } from "./clients.ts";
import { orderOf } from "./fixtures.ts";

const REFUSED = { success: true, message: "[WD] error code 121" };
const TAKEN = { success: true, message: "request withdraw successful" };
const NOT_FOUND = { success: true, message: "", data: [] };

/** One connection as the gateway sees it. */
interface Line {
  /** Number of requests so far, including this one. */
  readonly requests: number;
  readonly isStatus: boolean;
  say(answer: object, afterMs?: number): void;
  readonly socket: Socket;
}

/** Answers one complete request. */
type Answering = (line: Line) => void;

let key = "";
let cert = "";
beforeAll(async () => {
  ({ private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
  }));
  tls.setDefaultCACertificates([...tls.getCACertificates(), cert]);
});

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function gatewayThat(scheme: string, answer: Answering) {
  let connections = 0;
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    connections += 1;
    const line = connections;
    sockets.add(socket);
    let requests = 0;
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      if (!bytes.toString("latin1").startsWith("POST ")) return;
      requests += 1;
      const isStatus = bytes.includes("/transactions/status");
      seen.push(`${line} ${isStatus ? "status" : "payout"}`);
      const say = (document: object, afterMs = 0) => {
        const body = JSON.stringify(document);
        const text = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
        setTimeout(() => socket.write(text), afterMs);
      };
      answer({ requests, isStatus, say, socket });
    });
  };
  const server: Server =
    scheme === "https" ? tls.createServer({ key, cert }, onConnection) : createServer(onConnection);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client: GatewayClient = clientTo(`${scheme}://localhost:${port}`, { timeoutMs: 400 });
  closing.push(() => {
    client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { client, seen, connections: () => connections };
}

const kindsOf = async (client: GatewayClient, codes: readonly string[]) => {
  const kinds: string[] = [];
  for (const code of codes) kinds.push((await submit(client, orderOf(code))).outcome.kind);
  return kinds;
};
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(["http", "https"])("over %s", (scheme) => {
  test("shares a connection between payouts, and closes an idle one instead of reusing it", async () => {
    const { client, connections } = await gatewayThat(scheme, ({ say }) => say(TAKEN));
    expect(await kindsOf(client, ["A", "B", "C"])).toEqual(["accepted", "accepted", "accepted"]);
    expect(connections()).toBe(1);
    await sleep(1_200);
    await kindsOf(client, ["D"]);
    expect(connections()).toBe(2);
  });

  test("accepts a refusal on a new connection without a status query", async () => {
    const { client, seen } = await gatewayThat(scheme, ({ say }) => say(REFUSED));
    expect(await kindsOf(client, ["A"])).toEqual(["declined"]);
    expect(seen).toEqual(["1 payout"]);
  });

  test("confirms a refusal on a reused connection with a status query on the same connection", async () => {
    const { client, seen } = await gatewayThat(scheme, ({ say, isStatus, requests }) =>
      say(isStatus ? NOT_FOUND : requests === 1 ? TAKEN : REFUSED),
    );
    expect(await kindsOf(client, ["A", "B", "C"])).toEqual(["accepted", "declined", "declined"]);
    expect(seen).toEqual(["1 payout", "1 payout", "1 status", "1 payout", "1 status"]);
  });

  // The second answer arrives after the next request was sent: no parser can tell them apart.
  test("F38 does not decline the next payout because of a refusal sent twice", async () => {
    const { client, seen } = await gatewayThat(scheme, ({ say, requests, isStatus }) => {
      if (requests === 1) say(REFUSED);
      else {
        // The second copy arrives when the next payout has been sent on this connection.
        if (requests === 2 && !isStatus) say(REFUSED);
        say(isStatus ? NOT_FOUND : TAKEN, 100);
      }
    });
    expect(await kindsOf(client, ["A", "B", "C"])).toEqual(["declined", "in_doubt", "declined"]);
    // The doubtful connection is not reused.
    expect(seen.slice(0, 2)).toEqual(["1 payout", "1 payout"]);
    expect(seen.at(-1)).toMatch(/^[23] payout$/);
  });

  test.each([
    ["an acceptance with an empty list", { ...TAKEN, data: [] }],
    ["an unreadable answer", { odd: true }],
    ["a record of the payout", { success: true, data: [{ transaction_code: "B" }] }],
    ["a refusal of the query", { success: false, message: "[WD] error code 115" }],
  ])("leaves the payout in doubt on %s to the query", async (_what, said) => {
    const { client } = await gatewayThat(scheme, ({ say, isStatus, requests }) =>
      say(isStatus ? said : requests === 1 ? TAKEN : REFUSED),
    );
    expect(await kindsOf(client, ["A", "B"])).toEqual(["accepted", "in_doubt"]);
  });

  test.each<[string, Answering]>([
    ["a connection that closes after the refusal", ({ socket }) => socket.end()],
    ["a connection that is reset", ({ socket }) => socket.destroy()],
    ["silence", () => {}],
  ])("leaves the payout in doubt on %s instead of the query's answer", async (_what, answer) => {
    const { client } = await gatewayThat(scheme, (line) => {
      if (line.isStatus) answer(line);
      else line.say(line.requests === 1 ? TAKEN : REFUSED);
    });
    expect(await kindsOf(client, ["A", "B"])).toEqual(["accepted", "in_doubt"]);
  });

  test("does not accept a query on a new connection as confirmation", async () => {
    const { client, seen } = await gatewayThat(scheme, ({ say, isStatus, requests, socket }) => {
      if (requests === 2 && !isStatus) {
        const body = JSON.stringify(REFUSED);
        const head = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}`;
        socket.end(`${head}\r\n\r\n${body}`);
      } else say(isStatus ? NOT_FOUND : TAKEN);
    });
    expect(await kindsOf(client, ["A", "B"])).toEqual(["accepted", "in_doubt"]);
    expect(seen).toEqual(["1 payout", "1 payout", "2 status"]);
  });

  test("closes an idle connection on an unexpected byte", async () => {
    const { client, connections } = await gatewayThat(scheme, ({ say, socket, requests }) => {
      say(TAKEN);
      if (requests === 1) setTimeout(() => socket.write("H"), 30);
    });
    await kindsOf(client, ["A"]);
    await sleep(80);
    expect(await kindsOf(client, ["B"])).toEqual(["accepted"]);
    expect(connections()).toBe(2);
  });

  test("F38 treats a reset of a reused connection as doubt, without repeating the request", async () => {
    const { client, seen } = await gatewayThat(scheme, ({ say, socket, requests }) => {
      if (requests === 1) say(TAKEN);
      else socket.destroy();
    });
    expect(await kindsOf(client, ["A", "B"])).toEqual(["accepted", "in_doubt"]);
    expect(seen).toEqual(["1 payout", "1 payout"]);
  });

  test("treats a timeout on a reused connection as doubt, and closes the connection", async () => {
    const { client, seen } = await gatewayThat(scheme, ({ say, requests }) => {
      if (requests === 1) say(TAKEN);
    });
    expect(await kindsOf(client, ["A", "B", "C"])).toEqual(["accepted", "in_doubt", "accepted"]);
    expect(seen).toEqual(["1 payout", "1 payout", "2 payout"]);
  });
});
