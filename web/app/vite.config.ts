import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { patchGrid } from "./dev/glide.ts";
import { precompress } from "./dev/precompress.ts";
import { preloadRoutes } from "./dev/preload.ts";

// The service that `npm run dev` talks to; `rowhouse dev` listens there.
const service = process.env.ROWHOUSE_URL ?? "http://127.0.0.1:8080";
const served = ["/api", "/account", "/oauth", "/sign-in", "/sign-up", "/sign-out", "/share", "/mcp", "/help"];

export default defineConfig({
  plugins: [
    patchGrid(),
    react(),
    tailwindcss(),
    preloadRoutes([{ from: "index.html", to: "base.html", modules: /src\/(base\/table|view\/grid)\.tsx$/ }]),
    precompress(),
  ],
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 1600, // kB; the API reference is that large and loads alone
    // Inlined assets would be data: URLs, which the content policy does not allow for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }, // a browser without it loads the same, later
    rollupOptions: {
      input: { app: "index.html", docs: "docs.html" },
      output: {
        // Few files, each with all that it needs and cut by when it is wanted: for ninety small
        // ones a browser takes longer than for what is in them. The order is that of priority.
        codeSplitting: {
          groups: [
            {
              name: "start",
              test: /src\/(main|home\/home|ui\/lazyconfirm|api\/(change|idempotency))\.tsx?|icons\/(check|x)\.mjs/,
            },
            { name: "part", test: /src\/ui\/(dialog|form|menu|rename)\.tsx/ },
            { name: "base", test: /src\/(base\/(base|table)\.tsx|field\/(picker\.tsx|lazy(form|link)\.ts))/ },
            { name: "grid", test: /src\/(view\/grid\.tsx|field\/editor\/parts\.ts)/ },
            { name: "record", test: /src\/(record\/(panel|newrecord)|field\/control\/parts)\.tsx?/ },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: service }])) },
});
