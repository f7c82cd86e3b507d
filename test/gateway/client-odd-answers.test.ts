import { expect, test } from "vitest";
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
