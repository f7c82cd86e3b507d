import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
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
      output: { chunkFileNames: "assets/[hash].js", assetFileNames: "assets/[hash][extname]" },
    },
  },
});
