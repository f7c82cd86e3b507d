import { describe, expect, test } from "vitest";
import { clientTo, listen, submit } from "./clients.ts";
import { orderOf } from "./fixtures.ts";

/** A gateway that gives one answer to everything, as it stands here. */
const answering = (answer: string) =>
  listen((it) =>
    it.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.write(answer));
    }),
  );

test("an answer that switches protocols is doubt at once, to the status question as well", async () => {
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

test("a gateway that compresses unless it is told not to is told", async () => {
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

describe("a header that holds no time is as good as absent", () => {
  const throttled = async (headers: string) => {
    const body = '{"message":"slow"}';
    const head = `HTTP/1.1 429 Too Many Requests\r\n${headers}\r\n`;
    const server = await answering(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    const client = clientTo(server.url);
    const submission = await submit(client, orderOf("H1"));
    client.close();
    server.stop();
    return submission;
  };

  const date = (ms: number) => new Date(ms).toUTCString();
  // biome-ignore format: the columns are the point
  test.each([
    ["5",                              5_000,     5_000],
    ["99999999999999999999",           3_600_000, 3_600_000],
    ["Fri, 31 Dec 9999 23:59:59 GMT",  3_600_000, 3_600_000],
    [date(Date.now() + 600_000),       590_000,   600_000],
    [date(0),                          0,         0],
    ["-5",                             1_000,     1_000],
    ["1.5",                            1_000,     1_000],
    ["5, 10",                          1_000,     1_000],
    ["soon",                           1_000,     1_000],
  ])("Retry-After: %s", async (said, least, most) => {
    const { outcome } = await throttled(`retry-after: ${said}`);
    const afterMs = outcome.kind === "in_doubt" ? outcome.stop?.afterMs : null;
    expect(afterMs).toBeGreaterThanOrEqual(least);
    expect(afterMs).toBeLessThanOrEqual(most);
  });

  test("Date: -5", async () => {
    expect((await throttled("date: -5")).evidence.dateOffsetMs).toBeNull();
    expect((await throttled(`date: ${date(0)}`)).evidence.dateOffsetMs).toBeLessThan(0);
  });
});
