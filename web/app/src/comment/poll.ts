import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { key } from "../api/key.ts";
import { isLive } from "../api/live.ts";

const look = 30_000; // milliseconds between two looks

/**
 * Reads the comments on a record again from time to time, while the page receives no events of new
 * ones.
 */
export function useCommentPoll(recordId: string, on: boolean) {
  const cache = useQueryClient();
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => {
      if (isLive() || document.visibilityState === "hidden") return;
      void cache.invalidateQueries({ queryKey: key.comments(recordId) });
    }, look);
    return () => clearInterval(timer);
  }, [cache, on, recordId]);
}
