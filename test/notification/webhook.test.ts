import { createServer } from "node:http";
import { expect, test } from "vitest";
import { postWebhook, splitAnswer } from "#notification/webhook.ts";

async function answered(status: number, body: string) {
  const server = createServer((_request, answer) => answer.writeHead(status).end(body));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const message = { id: "N1", atSeconds: 1, body: "{}", secret: "whsec_c2VjcmV0" };
  const options = { allowPrivate: true, timeoutMs: 5_000 };
  const tried = await postWebhook(`http://127.0.0.1:${port}/`, message, options);
  server.close();
  return tried;
}

test("logs the status and the beginning of the response, on one line and without secrets", async () => {
  expect(await answered(204, "")).toEqual({ ok: true, says: "HTTP 204" });
  expect(await answered(500, "no such\n route \u001b[1m")).toEqual({
    ok: false,
    says: "HTTP 500: no such route \\u{1b}[1m",
  });
  const { says } = await answered(
    400,
    `key whsec_c2VjcmV0, v1,${"A".repeat(43)}= ${"x".repeat(300)}`,
  );
  expect(says).toMatch(/^HTTP 400: key \[removed\], \[removed\] x+…$/);
  expect(splitAnswer(says).body).toHaveLength(200);
  expect(splitAnswer("HTTP 204")).toEqual({ status: "HTTP 204", body: "" });
  expect(splitAnswer("connect ECONNREFUSED: no")).toEqual({
    status: "connect ECONNREFUSED: no",
    body: "",
  });
});

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
