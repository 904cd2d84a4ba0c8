import { Check, Copy } from "lucide-react";
import { useText } from "../text/index.ts";
import { IconButton } from "./button.tsx";
import { useCopy } from "./copy.ts";

/** A piece of code with a button that copies it. */
export function Code({ children, label }: { children: string; label: string }) {
  const text = useText();
  const { copied, copy } = useCopy();
  return (
    <div className="flex items-start rounded-lg border border-line bg-sunken">
      <pre
        // A region that scrolls has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={label}
        className="min-w-0 flex-1 overflow-x-auto p-3.5 font-mono text-[12.5px] leading-[1.6]"
      >
        <code>{children}</code>
      </pre>
      <IconButton
        size="sm"
        label={copied ? text.action.copied : `${text.action.copy}: ${label}`}
        className="m-2"
        onClick={() => void copy(children)}
      >
        {copied ? <Check size={15} className="text-accent" aria-hidden /> : <Copy size={15} aria-hidden />}
      </IconButton>
    </div>
  );
}
