import { useEffect, useRef, useState } from "react";
import { complain, notify } from "./toast.ts";

const shownFor = 1600; // milliseconds

/** Copies a text, and says so in a message, or why it could not. */
export async function copyAndNotify(text: string, said: string) {
  try {
    await navigator.clipboard.writeText(text);
    notify(said);
  } catch (error) {
    complain(error);
  }
}

/** Copies a text and says so for a moment. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), shownFor);
    } catch (error) {
      complain(error);
    }
  };
  return { copied, copy };
}
