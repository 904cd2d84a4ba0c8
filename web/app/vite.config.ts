import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { gridAliases, patchGrid } from "./dev/glide.ts";
import { slimIcons } from "./dev/icon.ts";
import { precompress } from "./dev/precompress.ts";
import { preloadRoutes } from "./dev/preload.ts";
import { splitSymbols } from "./dev/symbol.ts";

// The service that `npm run dev` talks to; `rowhouse dev` listens there.
const service = process.env.ROWHOUSE_URL ?? "http://127.0.0.1:8080";
const served = ["/api", "/account", "/oauth", "/sign-in", "/sign-up", "/sign-out", "/share", "/mcp", "/help"];

// What the first page shows, and what pages that are neither the first nor a base share with a base:
// they would load the code of a base for it.
const symbols = [
  "building-complex|check|circle-check|copy|ellipsis|external-link|eye|face-slightly-smiling|file-up|key-round",
  "layout-grid|lock|pencil|plug|plus",
  "rotate-ccw-clock|shield-check|table-2|trash|triangle-exclamation-point|user-round|x",
].join("|");
const start = new RegExp(
  [
    String.raw`src/(main|locale/time|access/role|ui/(copy|lazyconfirm|lazyrename)|api/(change|idempotency|type))\.tsx?$`,
    `lucide-react/dist/esm/icons/(${symbols})\\.mjs`,
    String.raw`shim/react|node_modules/preact/`,
    "react-query/build/modern/(useQueries|useInfiniteQuery)\\.js",
  ].join("|"),
);

export default defineConfig({
  plugins: [
    patchGrid(),
    splitSymbols(),
    slimIcons(),
    react(),
    tailwindcss(),
    preloadRoutes([
      { from: "index.html", to: "index.html", modules: /src\/home\/home\.tsx$/ },
      { from: "index.html", to: "base.html", modules: /src\/(base\/table|view\/grid)\.tsx$/ },
    ]),
    precompress(),
  ],
  resolve: { alias: gridAliases },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 1600, // kB; the API reference is that large and loads alone
    // Inlined assets would be data: URLs, which the content policy does not allow for fonts.
    assetsInlineLimit: 0,
    // A browser without preloading loads the same, later. What parts that are loaded on demand import is
    // not listed where they are loaded: the list would be in the first load, and most are loaded ahead.
    modulePreload: { polyfill: false, resolveDependencies: (_, files) => files.filter((file) => file.endsWith(".css")) },
    rollupOptions: {
      input: { app: "index.html", docs: "docs.html" },
      output: {
        // Few files, each with all that it needs and cut by when it is wanted: for ninety small
        // ones a browser takes longer than for what is in them. The order is that of priority.
        codeSplitting: {
          groups: [
            { name: "start", test: start },
            { name: "part", test: /src\/ui\/(dialog|form|menu|rename)\.tsx/ },
            { name: "base", test: /src\/(base\/(base|table)\.tsx|field\/(picker|refusal|addoption|linebreak|lazy(form|link))\.tsx?)/ },
            { name: "grid", test: /src\/(view\/grid\.tsx|field\/editor\/parts\.ts)/ },
            { name: "record", test: /src\/(record\/(panel|newrecord)|field\/control\/parts)\.tsx?/ },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: service }])) },
});
