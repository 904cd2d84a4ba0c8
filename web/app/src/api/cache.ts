import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem.ts";

/**
 * The cache of everything that was read from the service, except the rows of views (see
 * record/source.ts).
 */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && Problem.from(error).temporary,
    },
    mutations: { retry: false },
  },
});
