import { createServer } from "node:http";
import { expect, test } from "vitest";
import { postWebhook } from "#notification/webhook.ts";

test("gives up an address that switches protocols", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    const switching = ["101 Switching Protocols", "upgrade: h2c", "connection: upgrade", "", ""];
    socket.once("data", () => socket.write(`HTTP/1.1 ${switching.join("\r\n")}`));
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const message = { id: "N1", atSeconds: 1, body: "{}", secret: "whsec_AAAA" };
  const tried = await postWebhook(`http://127.0.0.1:${port}/`, message, {
    allowPrivate: true,
    timeoutMs: 5_000,
  });
  expect(tried).toEqual({ ok: false, says: "HTTP 101" });
  server.closeAllConnections();
  server.close();
}, 8_000);
