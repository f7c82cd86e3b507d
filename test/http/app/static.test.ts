import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

import helmet from "@fastify/helmet";
import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { PRELOADED } from "#http/app/page-preloads.ts";
import { staticRoutes } from "#http/app/static.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "payrun-desk-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(root: string): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(helmet, { enableCSPNonces: true });
  await staticRoutes(app, root);
  await app.ready();
  return app;
}

describe("a built dashboard", () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    mkdirSync(join(folder, "assets"));
    mkdirSync(join(folder, ".vite"));
    writeFileSync(
      join(folder, "index.html"),
      `<head><meta nonce="__NONCE__"><script nonce="__NONCE__"></head>`,
    );
    const manifest = {
      "index.html": { file: "assets/main-1a2b.js" },
      "src/pages/approval/sheet/approval-sheet.tsx": {
        file: "assets/sheet.js",
        imports: ["index.html", "_table.js"],
        css: ["assets/sheet.css"],
      },
      "src/base/late-styles.ts": { file: "assets/late.css" },
      "src/components/comments/comments.tsx": {
        file: "assets/comments.js",
        imports: ["index.html", "_table.js"],
      },
      "_table.js": { file: "assets/table.js", imports: ["index.html"] },
    };
    writeFileSync(join(folder, ".vite", "manifest.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "assets", "main-1a2b.js"), "1");
    writeFileSync(join(folder, "assets", "icon.svg"), "<svg/>");
    writeFileSync(join(folder, "assets", "main-1a2b.js.br"), brotliCompressSync("1"));
    app = await serve(folder);
  });
  afterAll(() => app.close());

  test.each([
    "/",
    "/payouts",
    "/payouts/PR1234?state=on_hold",
    "/api/docs",
    "/api/docs/errors?a=1",
  ])("answers %s with its page", async (url) => {
    const { statusCode, headers, body } = await app.inject(url);
    expect(statusCode).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-store");
    const [, nonce = "missing"] = /<meta nonce="([^"]+)">/.exec(body) ?? [];
    expect(headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
  });

  test("gives every page its own nonce", async () => {
    const one = await app.inject("/");
    const other = await app.inject("/");
    expect(one.body).not.toBe(other.body);
  });

  test("lets its files be cached permanently", async () => {
    const { statusCode, headers } = await app.inject("/assets/main-1a2b.js");
    expect(statusCode).toBe(200);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  test("sends the compressed copy of a file to browsers that accept it", async () => {
    const ask = (encoding: string) =>
      app.inject({ url: "/assets/main-1a2b.js", headers: { "accept-encoding": encoding } });
    const small = await ask("gzip, br");
    expect(small.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "application/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe("1");
    expect((await ask("identity")).body).toBe("1");
  });

  test("sends scripts without the headers that only pages need", async () => {
    const { headers } = await app.inject("/assets/main-1a2b.js");
    expect(headers).not.toHaveProperty("content-security-policy");
    expect(headers).toMatchObject({
      "cross-origin-resource-policy": "same-origin",
      "strict-transport-security": expect.stringContaining("max-age="),
      "x-content-type-options": "nosniff",
    });
    expect((await app.inject("/")).headers).toHaveProperty("content-security-policy");
    expect((await app.inject("/assets/icon.svg")).headers).toHaveProperty(
      "content-security-policy",
    );
  });

  const preloadsAt = async (url: string, headers = {}): Promise<string[]> => {
    const { body } = await app.inject({ url, headers });
    return [...body.matchAll(/<link rel="(\w+)"([^>]*) href="([^"]+)">/g)].map(
      ([, how, priority = "", file]) =>
        `${how}${priority.includes("fetchpriority=low") ? " later" : ""} ${file}`,
    );
  };

  test("lets a browser load the files of a page together with the first script", async () => {
    expect(await preloadsAt("/batches/B1/approval")).toEqual([
      "preload /api/session",
      "modulepreload /assets/sheet.js",
      "preload /assets/sheet.css",
      "modulepreload /assets/table.js",
      "preload /assets/late.css",
      "modulepreload later /assets/comments.js",
    ]);
    expect(await preloadsAt("/payouts")).toEqual([]);
  });

  test("lets the browser of a signed-in user load the data of a page with its files", async () => {
    const found = await preloadsAt("/batches/B1/approval?show=1", { cookie: "a=1; payrun=token" });
    expect(found.filter((each) => each.includes("/api/"))).toEqual([
      "preload /api/session",
      "preload /api/frame",
      "preload /api/batches/B1/approval",
      "preload /api/batches/B1",
    ]);
    const other = await preloadsAt("/batches/B1/approval", { cookie: "payrun-browser=x" });
    expect(other).not.toContain("preload /api/frame");
  });

  test.each([`/batches/"><script>/approval`, "/batches/%22%3E/approval", "/batches/B1;x"])(
    "writes no part of %s into its page",
    async (url) => {
      expect(await preloadsAt(url, { cookie: "payrun=token" })).toEqual([]);
    },
  );

  test.each(["/assets/%00", "/assets/../../../package.json", "/assets/%2e%2e/%2e%2e/index.html"])(
    "has no file at %s, however it is written",
    async (path) => {
      if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
      const { port } = app.server.address() as AddressInfo;
      const status = await new Promise((told) => {
        request({ port, path, host: "127.0.0.1" }, (answer) =>
          told(answer.resume().statusCode),
        ).end();
      });
      expect(status).toBe(404);
    },
  );

  test.each([
    "/api",
    "/api/nothing",
    "/api/docs.js",
    "/api/docs/a/b",
    "/api/docs/a.js",
    "/callbacks/x",
    "/assets/none.js",
    "/queues/x",
    "/robots.txt",
    "/.env",
  ])("has no page at %s", async (url) => {
    const { statusCode, body } = await app.inject(url);
    expect(statusCode).toBe(404);
    expect(body).not.toContain("<script");
  });
});

test("preloads only modules that exist", () => {
  const modules = PRELOADED.flatMap(({ modules: first, later = [] }) => [...first, ...later]);
  const missing = modules.filter((name) => !existsSync(join("dashboard", name)));
  expect(modules).not.toEqual([]);
  expect(missing).toEqual([]);
});

test("says what to do when it is not built", async () => {
  const app = await serve(join(folder, "nowhere"));
  const { statusCode, body } = await app.inject("/");
  expect(statusCode).toBe(503);
  expect(body).toBe("The dashboard has not been built. Run npm run build.\n");
  await app.close();
});
