/** Compressed answers, and those that must not be compressed. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { compressAnswers } from "#http/server/compression.ts";
import { answerProblem, problemOf } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { csvOf } from "#views/table-file.ts";
import { openScene } from "../../support/actions/scene.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

type Encoding = "br" | "gzip" | "identity";
interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const DECODED: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: (body) => brotliDecompressSync(body),
  gzip: (body) => gunzipSync(body),
};

async function open(url: string, encoding: string, asked: Asked = {}): Promise<IncomingMessage> {
  const { method = "GET", headers = {}, body } = asked;
  const sent = request(url, { method, headers: { ...headers, "accept-encoding": encoding } });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

async function ask(url: string, encoding: string, asked?: Asked) {
  const answer = await open(url, encoding, asked);
  const { headers, statusCode: status } = answer;
  const body = await buffer(answer);
  const used = headers["content-encoding"];
  const decoded = used === undefined ? body : DECODED[used]?.(body);
  return { status, headers, used, bytes: body.length, text: decoded?.toString() ?? "" };
}

describe("the server", () => {
  let scene: Awaited<ReturnType<typeof openScene>>;
  let at: string;
  let batch: string;
  beforeAll(async () => {
    scene = await openScene();
    at = await scene.server.listen();
    const text = fileText(rowsOf(400));
    const { json } = await scene.uploader.post("/api/batches?file_name=a.csv", text);
    batch = json.batch.batch_id;
  });
  afterAll(() => scene.server.close());

  const seen = (path: string, encoding: string) =>
    ask(`${at}${path}`, encoding, { headers: scene.uploader.headers });

  test.each<Encoding>(["br", "gzip"])("compresses JSON with %s", async (encoding) => {
    const plain = await seen(`/api/batches/${batch}`, "identity");
    const small = await seen(`/api/batches/${batch}`, encoding);
    expect([plain.used, small.used]).toEqual([undefined, encoding]);
    expect([plain.headers.vary, small.headers.vary]).toEqual([
      "accept-encoding",
      "accept-encoding",
    ]);
    expect(Object.keys(JSON.parse(small.text))).toEqual(Object.keys(JSON.parse(plain.text)));
    expect(small.bytes).toBeLessThan(plain.bytes / 2);
  });

  test("leaves a short answer as it is", async () => {
    const short = await seen("/api/approval-rules", "br, gzip");
    expect(short).toMatchObject({ status: 200, used: undefined });
    expect(short.headers.vary).toBe("accept-encoding");
    expect(short.bytes).toBeLessThan(1_024);
  });

  test.each([
    ["csv", "br"],
    ["csv", "gzip"],
    ["jsonl", "br"],
    ["jsonl", "gzip"],
  ])("compresses a report as %s with %s", async (format, encoding) => {
    const path = `/api/batches/${batch}/report?format=${format}`;
    const plain = await seen(path, "identity");
    const small = await seen(path, encoding);
    expect([plain.used, small.used]).toEqual([undefined, encoding]);
    expect(small.text).toBe(plain.text);
    expect(small.bytes).toBeLessThan(plain.bytes / 4);
  });

  test("sends a workbook as it is, because it is compressed already", async () => {
    const path = `/api/batches/${batch}/report?format=xlsx`;
    expect(await seen(path, "br, gzip")).toMatchObject({ status: 200, used: undefined });
  });

  test("never compresses the secret of a second factor", async () => {
    const asked = { method: "POST", headers: scene.operator.headers };
    const answer = await ask(`${at}/api/profile/totp`, "br, gzip", asked);
    expect(answer).toMatchObject({ status: 200, used: undefined });
    expect(answer.headers).not.toHaveProperty("vary");
    expect(answer.bytes).toBeGreaterThan(1_024);
  });

  test.each(["/healthz", "/readyz", "/callbacks/x"])("leaves %s as it is", async (path) => {
    const { status, headers } = await ask(`${at}${path}`, "br, gzip");
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("vary");
    expect(headers).not.toHaveProperty("content-encoding");
  });

  test("does not decompress the body of a request", async () => {
    const answer = await ask(`${at}/api/session`, "identity", {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: gzipSync('{"email":"a@example.test","password":"wrong"}'),
    });
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, "invalid_request"]);
  });

  test("sends live updates one by one, whatever the client accepts", async () => {
    const { headers } = scene.uploader;
    const stream = await open(`${at}/api/live?topics=batch:${batch}`, "br, gzip", { headers });
    let text = "";
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    const events = () => text.match(/^event: batch:/gm)?.length ?? 0;
    await eventually("the first update", () => events() === 1);
    const cancelled = { reason: "wrong month" };
    await scene.operator.post(`/api/batches/${batch}/cancel`, cancelled);
    await eventually("the second update", () => events() === 2);
    expect(stream.headers).not.toHaveProperty("content-encoding");
    expect(stream.headers).not.toHaveProperty("vary");
    stream.destroy();
  });
});

/** Operations whose answers contain a secret, and the event stream. */
const UNCOMPRESSED = [
  "GET /api/live",
  "GET /api/session",
  "POST /api/channels",
  "POST /api/keys",
  "POST /api/keys/:id/rotate",
  "POST /api/links/use",
  "POST /api/pending-changes/:id/confirm",
  "POST /api/profile/password",
  "POST /api/profile/totp",
  "POST /api/profile/totp/confirm",
  "POST /api/session",
  "POST /api/users",
  "POST /api/users/:id/link",
];

describe("compression", () => {
  let app: FastifyInstance;
  let at: string;
  let rows = 0;
  let isClosed = false;

  async function* endless(text: () => string) {
    try {
      for (;;) yield [String((rows += 1)), text()];
    } finally {
      isClosed = true;
    }
  }
  async function* failing(after: number) {
    for (let row = 0; row < after; row += 1) yield [String(row), `name ${Math.sin(row)}`];
    throw new Problem("database_unavailable");
  }

  beforeAll(async () => {
    app = fastify();
    app.setErrorHandler(async (error, _request, reply) =>
      answerProblem(reply, problemOf(error) ?? new Problem("unexpected")),
    );
    await compressAnswers(app);
    for (const [name, operation] of Object.entries<ApiOperation>(API)) {
      const [method = "", url = ""] = name.split(" ");
      const handler = async () => ({ text: "secret ".repeat(1_000) });
      app.route({ method, url, config: { operation }, handler });
    }
    app.get("/page", async (_request, reply) => reply.type("text/html").send("<p>".repeat(1_000)));
    const random = () => randomBytes(9_000).toString("base64");
    app.get("/random", async (_request, reply) =>
      reply.type("text/csv").send(csvOf(endless(random), ",")),
    );
    const payout = () => `Asha Kumar ${rows % 977},HDFC000${rows % 601},${rows % 90_000},INR`;
    app.get("/payouts", async (_request, reply) =>
      reply.type("text/csv").send(csvOf(endless(payout), ",")),
    );
    app.get("/failing/:after", async (asked, reply) => {
      const { after } = asked.params as { after: string };
      return reply.type("text/csv").send(csvOf(failing(Number(after)), ","));
    });
    app.get("/failing-lines", async (_request, reply) =>
      reply.type("application/jsonl").send(Readable.from(failing(0))),
    );
    at = await app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => app.close());

  test("leaves out only the answers with a secret and the event stream", async () => {
    const uncompressed: string[] = [];
    for (const name of Object.keys(API)) {
      const [method = "", url = ""] = name.split(" ");
      const { status, used, headers } = await ask(`${at}${url}`, "gzip, br", { method });
      expect(status).toBe(200);
      expect([headers.vary, used]).toEqual(used ? ["accept-encoding", "br"] : [undefined, used]);
      if (!used) uncompressed.push(name);
    }
    expect(uncompressed.toSorted()).toEqual(UNCOMPRESSED);
  });

  test.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["zstd, deflate", undefined],
    ["identity", undefined],
  ])("answers a client that accepts %s with %s", async (accepted, used) => {
    expect(await ask(`${at}/page`, accepted)).toMatchObject({
      used,
      text: "<p>".repeat(1_000),
      headers: { vary: "accept-encoding" },
    });
  });

  test.each<Encoding>(["br", "gzip"])("streams a download with %s in bounded memory", async (e) => {
    isClosed = false;
    const answer = await open(`${at}/random`, e);
    expect(answer.headers["content-encoding"]).toBe(e);
    await once(answer, "readable");
    // The client reads no further, so the server stops reading its source.
    const settled = await eventually("the source rests", async () => {
      const before = rows;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return rows === before;
    });
    expect(settled).toBe(true);
    answer.destroy();
    await eventually("the source is closed", () => isClosed);
  });

  test.each<Encoding>(["br", "gzip", "identity"])(
    "starts a download before its source has ended: %s",
    async (encoding) => {
      const before = rows;
      const answer = await open(`${at}/payouts`, encoding);
      await once(answer, "readable");
      // Brotli with its default window would hold back the first 8 MB, or 180,000 rows.
      expect(rows - before).toBeLessThan(30_000);
      answer.destroy();
    },
  );

  test.each<Encoding>(["br", "gzip", "identity"])(
    "answers a download that fails at once with a problem: %s",
    async (encoding) => {
      for (const path of ["/failing/0", "/failing-lines"]) {
        const answer = await ask(`${at}${path}`, encoding);
        expect(answer).toMatchObject({ status: 503, used: undefined });
        expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
        expect(JSON.parse(answer.text)).toMatchObject({ code: "database_unavailable" });
      }
    },
  );

  test.each<Encoding>(["br", "gzip", "identity"])(
    "breaks off a download that fails later, so that its reader notices: %s",
    async (encoding) => {
      const answer = await open(`${at}/failing/20000`, encoding);
      await expect(buffer(answer)).rejects.toThrow("aborted");
      expect(answer.complete).toBe(false);
    },
  );
});
