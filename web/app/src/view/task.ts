import { useCallback, useMemo, useState } from "react";
import type { Question, RunTask } from "../grid/action.ts";

type Task = { label: string; stop: () => void };

/** The long task of a page: how far it is, and the way to begin one. */
export function useTask(): { task: Task | undefined; runTask: RunTask } {
  const [task, setTask] = useState<Task>();
  const runTask = useCallback<RunTask>(async (say, doIt) => {
    const controller = new AbortController();
    const stop = () => controller.abort();
    setTask({ label: say(0), stop });
    try {
      return await doIt((done) => setTask({ label: say(done), stop }), controller.signal);
    } finally {
      setTask(undefined);
    }
  }, []);
  return useMemo(() => ({ task, runTask }), [runTask, task]);
}

/** A question that an action asks while it runs. */
export function useQuestion() {
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
