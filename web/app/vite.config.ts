import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { mendGrid } from "./dev/glide.ts";
import { precompress } from "./dev/precompress.ts";

// The service that `npm run dev` talks to; `rowhouse dev` listens there.
const service = process.env.ROWHOUSE_URL ?? "http://127.0.0.1:8080";
const served = ["/api", "/account", "/oauth", "/sign-in", "/sign-up", "/sign-out", "/share", "/mcp", "/openapi.json"];

export default defineConfig({
  plugins: [mendGrid(), react(), tailwindcss(), precompress()],
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 1600, // kB; the API reference is that large and loads alone
    // Inlined assets would be data: URLs, which the content policy does not allow for fonts.
    assetsInlineLimit: 0,
    rollupOptions: { input: { app: "index.html", docs: "docs.html" } },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, { target: service }])) },
});
