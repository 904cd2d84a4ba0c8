import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// The page that agents' clients show beside an answer. It is handed to them as one text, so scripts and
// styles stand in it.
export default defineConfig({
  plugins: [react(), tailwindcss(), viteSingleFile({ removeViteModuleLoader: true })],
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: false, // it has the application already
    sourcemap: false,
    rollupOptions: { input: "agent.html" },
  },
});
