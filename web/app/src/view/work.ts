import { useCallback, useMemo, useState } from "react";
import type { Question, Work } from "../grid/action.ts";

type Working = { said: string; stop: () => void };

/** Long pieces of work of a page: what the present one has done, and the way to begin one. */
export function useWork(): { working: Working | undefined; work: Work } {
  const [working, setWorking] = useState<Working>();
  const work = useCallback<Work>(async (say, doIt) => {
    const controller = new AbortController();
    const stop = () => controller.abort();
    setWorking({ said: say(0), stop });
    try {
      return await doIt((done) => setWorking({ said: say(done), stop }), controller.signal);
    } finally {
      setWorking(undefined);
    }
  }, []);
  return useMemo(() => ({ working, work }), [work, working]);
}

/** A question that an action asks in its course. */
export function useAsk() {
  const [question, setQuestion] = useState<Question & { answer: (yes: boolean) => void }>();
  const ask = useCallback(
    (asked: Question) =>
      new Promise<boolean>((resolve) => {
        setQuestion({
          ...asked,
          answer: (yes) => {
            setQuestion(undefined);
            resolve(yes);
          },
        });
      }),
    [],
  );
  return { question, ask };
}
