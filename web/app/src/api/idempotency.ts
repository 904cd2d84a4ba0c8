import { useRef } from "react";

/**
 * Idempotency keys for what a person sends again by hand because no response came: the same body
 * goes under the same key, so that the service does it once. Call `done` when a response came,
 * because the person may then submit the same entry again on purpose.
 */
export function useIdempotencyKeys() {
  const keys = useRef(new Map<string, string>());
  return {
    keyFor: (body: unknown) => {
      const content = JSON.stringify(body);
      const key = keys.current.get(content) ?? crypto.randomUUID();
      keys.current.set(content, key);
      return key;
    },
    done: () => keys.current.clear(),
  };
}
