import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, useLayoutEffect, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { cache } from "./api/cache.ts";
import { currentLocale, followLocale, LocaleContext } from "./locale/locale.ts";
import { followLeftovers } from "./record/leftover.ts";
import { Routes } from "./route/outlet.tsx";
import { start } from "./route/router.ts";
import { missing, routes } from "./router.tsx";
import { RouteFailed } from "./shell/failure.tsx";
import { loadLanguage } from "./text/translation.ts";
import { followSystemTheme } from "./ui/theme.ts";
import "./style/base.css";

followSystemTheme();
followLeftovers();

function Application() {
  const locale = useSyncExternalStore(followLocale, currentLocale);
  useLayoutEffect(() => void (document.documentElement.lang = locale.language), [locale.language]);
  return (
    <LocaleContext value={locale}>
      <QueryClientProvider client={cache}>
        <Routes failed={RouteFailed} />
      </QueryClientProvider>
    </LocaleContext>
  );
}

const place = document.getElementById("root");
if (!place) throw new Error("the page has no #root");

// The first page is shown when its code is there. Shown before, it would begin with a fallback,
// after which React takes its time.
void Promise.allSettled([start(routes, missing), loadLanguage(currentLocale().language)]).then(() =>
  createRoot(place).render(
    <StrictMode>
      <Application />
    </StrictMode>,
  ),
);
