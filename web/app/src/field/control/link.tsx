import { Plus, X } from "lucide-react";
import { Suspense, useState } from "react";
import { useText } from "../../text/index.ts";
import { Button } from "../../ui/button.tsx";
import type { ControlProps } from "../kind.ts";
import { LinkDialog } from "../lazylink.ts";
import { linkedOf } from "../linked.ts";
import { listOf } from "../list.ts";

/** The linked records, to be taken away one by one, and a dialog to choose others. */
export function LinkControl({ field, value, context, format, at, disabled, onChange }: ControlProps) {
  const text = useText();
  const { untitled } = text.base.record;
  const [open, setOpen] = useState(false);
  const linked = linkedOf(value, context);
  return (
    <div className="flex flex-col gap-1.5">
      {linked.length > 0 && (
        <ul className="flex flex-col gap-1">
          {linked.map((record) => (
            <li key={record.id} className="flex h-8.5 items-center rounded-md border border-line bg-canvas pr-1 pl-3">
              <span className="min-w-0 flex-1 truncate">{record.name || untitled}</span>
              {!disabled && (
                <button
                  type="button"
                  aria-label={text.field.unlink(record.name || untitled)}
                  onClick={() => onChange(listOf(value).filter((id) => id !== record.id))}
                  className="grid size-6.5 place-items-center rounded text-faint hover:bg-hover hover:text-ink"
                >
                  <X size={14} aria-hidden />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          {...at}
          size="sm"
          disabled={disabled}
          icon={<Plus size={14} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {text.field.linkRecord}
        </Button>
      </div>
      <Suspense>
        {open && (
          <LinkDialog
            field={field}
            selected={linked}
            format={format}
            onClose={() => setOpen(false)}
            onSave={(records) => onChange(records.map((record) => record.id))}
          />
        )}
      </Suspense>
    </div>
  );
}
