import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/servers/eventually.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../../support/telemetry/otlp-receiver.ts";

let receiver: OtlpReceiver;
let server: TestServer;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  server = await startTestServer({}, ["viewer"], receiver.env);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
const spanOf = (name: string) =>
  eventually(`the span ${name}`, async () => receiver.spans().find((span) => span.name === name));

test("continues the trace of a signed-in caller only", async () => {
  await server.as("viewer").get("/api/batches/BABCDEFGH12?search=planted", { headers });
  await server.nobody.post("/api/session", { email: "planted@pay.example" }, { headers });

  const signedIn = await spanOf("GET /api/batches/:id");
  expect(signedIn).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(signedIn.facts).toMatchObject({ "http.route": "/api/batches/:id" });
  expect(signedIn.links).toHaveLength(1);
  const anonymous = await spanOf("POST /api/session");
  expect(anonymous.traceId).not.toBe(TRACE);
  expect(anonymous.facts["error.type"]).toBeDefined();
  expect(receiver.bodies()).not.toContain("planted");
});
