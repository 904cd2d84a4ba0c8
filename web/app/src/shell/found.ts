import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { key } from "../api/key.ts";
import { searchBase } from "../api/read.ts";
import type { Schemas } from "../api/type.ts";

export type Found = Schemas["SearchHit"];

const shortest = 2; // characters that are looked for
const maxShown = 8; // records that are shown
const pause = 200; // milliseconds without typing before the service is asked

/**
 * The records of a base that have the words of a text: in any order, in any field, and with a typo
 * if nothing has them as given. They match the text as it was when the typing paused.
 */
export function useFound(baseId: string | undefined, text: string): Found[] {
  const trimmed = text.trim();
  const [wanted, setWanted] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setWanted(trimmed), pause);
    return () => clearTimeout(timer);
  }, [trimmed]);
  const looks = wanted.length >= shortest && /[\p{L}\p{N}]/u.test(wanted);
  const found = useQuery({
    queryKey: [...key.found(baseId ?? ""), wanted],
    queryFn: ({ signal }) => searchBase({ baseId: baseId ?? "", query: { q: wanted, limit: maxShown } }, { signal }),
    enabled: baseId !== undefined && looks,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
    retry: false,
  });
  return looks && trimmed.length >= shortest ? (found.data?.results ?? none) : none;
}

const none: Found[] = [];
