import { afterEach, expect, test, vi } from "vitest";
import { call } from "../../../dashboard/src/server/client.ts";
import { discardAnswers } from "../../../dashboard/src/server/kept-answers.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  discardAnswers();
});

/** Serves a document as payrun does. Returns the tags that the dashboard sent. */
function serve(document: { current: object }): (string | null)[] {
  const sent: (string | null)[] = [];
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
  vi.stubGlobal("fetch", async (_address: string, { headers }: { headers: Headers }) => {
    const text = JSON.stringify(document.current);
    const tag = `W/"${text.length}"`;
    const known = headers.get("if-none-match");
    sent.push(known);
    if (known === tag) return new Response(null, { status: 304, headers: { etag: tag } });
    return new Response(text, { headers: { etag: tag } });
  });
  return sent;
}

test("shows the kept answer only after the server confirmed it", async () => {
  const document = { current: { items: ["A"] } };
  const sent = serve(document);
  const first = await call("GET /api/schedules");
  expect(await call("GET /api/schedules")).toBe(first);

  document.current = { items: ["A", "B"] };
  expect(await call("GET /api/schedules")).toEqual({ items: ["A", "B"] });
  expect(await call("GET /api/schedules")).toEqual({ items: ["A", "B"] });
  expect(sent).toEqual([null, 'W/"15"', 'W/"15"', 'W/"19"']);
});

test("sends no tag of one address to another, or after the user changed", async () => {
  const sent = serve({ current: { items: [] } });
  await call("GET /api/schedules");
  await call("GET /api/schedules/:id", { params: { id: "SC1" } });
  discardAnswers();
  await call("GET /api/schedules");
  expect(sent).toEqual([null, null, null]);
});

test("keeps a limited number of answers", async () => {
  const sent = serve({ current: { items: [] } });
  for (let id = 0; id <= 60; id += 1)
    await call("GET /api/schedules/:id", { params: { id: `SC${id}` } });
  await call("GET /api/schedules/:id", { params: { id: "SC0" } });
  await call("GET /api/schedules/:id", { params: { id: "SC60" } });
  expect(sent.slice(-2)).toEqual([null, 'W/"12"']);
});
