import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { cache } from "./api/query.ts";
import { router } from "./router.tsx";
import { followSystemTheme } from "./shell/theme.ts";
import "./style/base.css";

followSystemTheme();

const place = document.getElementById("root");
if (!place) throw new Error("the page has no #root");

// The first page is shown when its code is there. Shown before, it would begin with a fallback, after which React takes its time.
void router.load().finally(() =>
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
