import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { httpTransport } from "#gateway/wire/transport.ts";
import { clientTo, listen, submit } from "./clients.ts";
import { orderOf } from "./fixtures.ts";

/** A gateway that gives one answer to everything, as written here. */
const answering = (answer: string) =>
  listen((it) =>
    it.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.write(answer));
    }),
  );

test("treats an answer that switches protocols as doubt immediately, also for a status query", async () => {
  const switching =
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n";
  const server = await answering(switching);
  const client = clientTo(server.url, { maxSockets: 1 });
  const { outcome, evidence } = await submit(client, orderOf("S1"));
  expect(outcome).toMatchObject({ kind: "in_doubt", code: "no_answer" });
  expect(evidence).toMatchObject({ httpStatus: null, code: "http_101" });
  expect((await client.status("INR", "S1")).answer.kind).toBe("no_answer");
  client.close();
  server.stop();
}, 8_000);

test("asks a gateway that compresses by default not to compress", async () => {
  let heard = "";
  const server = await listen((it) =>
    it.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.on("data", (request) => (heard += request.toString("latin1")));
      socket.on("data", () => socket.end());
    }),
  );
  const client = clientTo(server.url);
  await submit(client, orderOf("G1"));
  client.close();
  server.stop();
  expect(heard).toMatch(/^accept-encoding: identity\r$/im);
});

test.each([
  ["retry-after: 5", 5_000],
  ["retry-after: -5", 1_000],
  ["date: -5", 1_000],
])("pauses requests to an overloaded gateway that says %s for %i ms", async (header, ms) => {
  const body = '{"message":"slow"}';
  const head = `HTTP/1.1 429 Too Many Requests\r\n${header}\r\n`;
  const server = await answering(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  const client = clientTo(server.url);
  const { outcome, evidence } = await submit(client, orderOf("H1"));
  expect(outcome).toMatchObject({ kind: "in_doubt", stop: { afterMs: ms } });
  expect(evidence.dateOffsetMs).toBeNull();
  client.close();
  server.stop();
});

test("never sends a request whose deadline passed while it waited for a socket", async () => {
  const received: string[] = [];
  const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
  const server = await listen((it) =>
    it.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        const path = bytes.toString().split(" ")[1] ?? "";
        received.push(path);
        if (path === "/third") socket.write(answer);
      });
    }),
  );
  const options = { timeoutMs: 300, maxSockets: 1, userAgent: "payrun-test", clock: systemClock };
  const transport = httpTransport(options);
  const waiting = ["/first", "/second"].map((path) => transport.get(server.url + path));
  expect(await Promise.all(waiting)).toEqual([
    { code: "ETIMEDOUT", proof: "none" },
    { code: "ETIMEDOUT", proof: received.includes("/second") ? "none" : "not_sent" },
  ]);
  expect(await transport.get(`${server.url}/third`)).toMatchObject({ status: 200, body: "{}" });
  expect(received.filter((path) => path === "/second").length).toBeLessThanOrEqual(1);
  expect(received.at(-1)).toBe("/third");
  transport.close();
  server.stop();
});
