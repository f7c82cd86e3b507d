import { expect, test } from "vitest";
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
