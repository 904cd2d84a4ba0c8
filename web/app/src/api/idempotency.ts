import { useRef } from "react";

/**
 * Idempotency keys for what a person sends again by hand because no answer came: the same body goes
 * under the same key, so that the service does it once. Call `done` when an answer came, since the
 * same entry may then be meant anew.
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
