import { useEffect, useRef, useState } from "react";
import { Problem } from "../api/problem.ts";
import type { Attachment } from "../api/type.ts";
import { upload } from "../api/upload.ts";
import { useText } from "../text/index.ts";

/** A file on its way, or one that did not arrive. */
export type Sending = { key: number; file: File; part: number; failure?: string };

let keys = 0;

/**
 * Uploads files for a table, two at a time, and puts each into the value as soon as it has arrived.
 * `value` is the cell's, and `onChange` takes its next one. What is under way goes on when the
 * control is closed.
 */
export function useUploads(tableId: string, value: Attachment[], onChange: (value: Attachment[]) => void) {
  const text = useText();
  const [sending, setSending] = useState<Sending[]>([]);
  const stops = useRef(new Map<number, AbortController>());
  const queue = useRef<Sending[]>([]);
  const running = useRef(0);
  // The value with what has arrived since it was given.
  const latest = useRef(value);
  const change = useRef(onChange);
  useEffect(() => {
    latest.current = value;
    change.current = onChange;
  }, [value, onChange]);

  const put = (next: Attachment[]) => {
    latest.current = next;
    change.current(next);
  };
  const note = (key: number, what: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...what } : one)));
  const drop = (key: number) => setSending((all) => all.filter((one) => one.key !== key));

  const next = () => {
    const one = running.current < 2 ? queue.current.shift() : undefined;
    if (!one) return;
    running.current++;
    const stop = new AbortController();
    stops.current.set(one.key, stop);
    const onProgress = (part: number) => note(one.key, { part });
    upload({ to: `tables/${encodeURIComponent(tableId)}`, file: one.file, signal: stop.signal, onProgress })
      .then(
        (arrived) => {
          drop(one.key);
          put([...latest.current, arrived]);
        },
        (error: unknown) =>
          error instanceof DOMException
            ? drop(one.key)
            : note(one.key, { failure: Problem.from(error).message || text.file.lost(one.file.name) }),
      )
      .finally(() => {
        running.current--;
        stops.current.delete(one.key);
        next();
      });
    next();
  };

  const add = (files: Iterable<File>) => {
    const fresh = Array.from(files, (file): Sending => ({ key: ++keys, file, part: 0 }));
    setSending((all) => [...all, ...fresh]);
    queue.current.push(...fresh);
    next();
  };

  return {
    sending,
    add,
    remove: (file: Attachment) => put(latest.current.filter((one) => one.id !== file.id)),
    stop: (key: number) => {
      queue.current = queue.current.filter((one) => one.key !== key);
      const under = stops.current.get(key);
      if (under) under.abort();
      else drop(key);
    },
    again: (one: Sending) => {
      drop(one.key);
      add([one.file]);
    },
  };
}
