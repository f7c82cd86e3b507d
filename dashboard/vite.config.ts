import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, minifySync, type Plugin } from "vite";

/** Writes a Brotli and a gzip copy of each script and style sheet next to it, for the server. */
const compressed: Plugin = {
  name: "compressed",
  writeBundle({ dir = "" }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(?:js|css)$/.test(file))) {
      const path = join(dir, name);
      const content = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(content));
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

/**
 * Lets V8 compile the functions of a script in another thread while it arrives. Most run at once,
 * and compiling them one by one took a quarter of the main thread's time of a first visit.
 */
const COMPILE_EARLY = "//# allFunctionsCalledOnLoad\n";

/** Writes the hint as the first line, the only one where V8 reads it. */
const compileHint: Plugin = {
  name: "compile-hint",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === "chunk") file.code = COMPILE_EARLY + file.code;
      }
    },
  },
};

const EARLY = "early.js";

/**
 * Lets the page run early.js as soon as it arrives, while the first script still downloads. As an
 * entry of the build it would share a third file with the first script.
 */
const early: Plugin = {
  name: "early",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const file = Object.values(bundle).find(
        (each) => each.type === "asset" && each.names.includes(EARLY),
      )?.fileName;
      if (file === undefined) throw new Error(`the build contains no ${EARLY}`);
      const how = { type: "module", async: true, fetchpriority: "high" };
      return [{ tag: "script", attrs: { ...how, src: `/${file}` }, injectTo: "head" }];
    },
  },
  buildStart() {
    const source = readFileSync(join(import.meta.dirname, "src", EARLY), "utf8");
    this.emitFile({ type: "asset", name: EARLY, source: minifySync(EARLY, source).code });
  },
};

const STYLE_SHEET = /<link rel="stylesheet"([^>]*)>/g;

/**
 * Lets the browser draw the text about loading without the style sheets. They stay in the head,
 * because those of other pages must come later; main.tsx applies them before it shows a page.
 */
const stylesLate: Plugin = {
  name: "styles-late",
  transformIndexHtml: {
    order: "post",
    handler: (html) =>
      html.replaceAll(
        STYLE_SHEET,
        '<link rel="preload" as="style" fetchpriority="high"$1>\n    <link rel="stylesheet" media="not all" data-late$1>',
      ),
  },
};

export default defineConfig({
  plugins: [react(), compileHint, compressed, early, stylesLate],
  // src/http/app/static.ts puts a fresh nonce in its place for every page it serves.
  html: { cspNonce: "__NONCE__" },
  build: {
    target: "es2023",
    // A file inlined as data: would need a hole in the content security policy.
    assetsInlineLimit: 0,
    // The page has no inline script, so that its policy can refuse them all.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    // The first script lists all files of the pages. A name in each would only make it larger.
    rolldownOptions: {
      output: {
        chunkFileNames: "assets/[hash].js",
        assetFileNames: "assets/[hash][extname]",
        // Otherwise a phone waits in turn for fifty files of 1 kB.
        codeSplitting: {
          groups: [
            { name: "initial", tags: ["$initial"], priority: 1 },
            {
              name: "component-styles",
              test: /components\/(?!list-table|comments|notifications|chart).*\.module\.css$/,
            },
          ],
          // Copies the code of a small common file into the files that need it. Its modules keep
          // one state. Copied styles would override those of a page that was loaded before.
          experimentalInlineCommonChunks: { maxSize: 24_000, exclude: /\.css/ },
        },
      },
    },
  },
});
