const good = 5000; // milliseconds of the page's life in which the answers are new

type Holder = Window & { rowhouseAhead?: Record<string, Promise<Response> | undefined> };

/** Takes over a request that public/ahead.js began for this address; undefined when there is none. It is given out once. */
export function takeAhead(url: string): Promise<Response> | undefined {
  const held = (window as Holder).rowhouseAhead;
  const begun = held?.[url];
  if (held) delete held[url];
  return performance.now() < good ? begun : undefined;
}
