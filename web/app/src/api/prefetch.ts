const maxAge = 5000; // milliseconds of the page's life in which the responses are fresh

type PrefetchWindow = Window & { rowhousePrefetched?: Record<string, Promise<Response> | undefined> };

/**
 * Takes over a request that public/prefetch.js began for this address; undefined when there is
 * none. Each is returned once.
 */
export function takePrefetched(address: string): Promise<Response> | undefined {
  const prefetched = (window as PrefetchWindow).rowhousePrefetched;
  const answer = prefetched?.[address];
  if (prefetched) delete prefetched[address];
  return performance.now() < maxAge ? answer : undefined;
}
