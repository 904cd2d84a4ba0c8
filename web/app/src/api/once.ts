import { useRef } from "react";

/**
 * Keys for what a person sends again by hand, because no answer came: the same body goes under the same Idempotency-Key, so that the
 * service does it once. `done` is to be called when an answer came, since the same entry may then be meant anew.
 */
export function useOnce() {
  const keys = useRef(new Map<string, string>());
  return {
    header: (body: unknown) => {
      const text = JSON.stringify(body);
      const key = keys.current.get(text) ?? crypto.randomUUID();
      keys.current.set(text, key);
      return { "Idempotency-Key": key };
    },
    done: () => keys.current.clear(),
  };
}
