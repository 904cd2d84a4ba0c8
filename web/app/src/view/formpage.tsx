import { ChevronDown, FileText } from "lucide-react";
import { useId } from "react";
import type { Field, FormPage } from "../api/type.ts";
import { useFormText } from "../text/form.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Input, Row, Textarea } from "../ui/form.tsx";
import { FormConditions } from "./formconditions.tsx";

type Props = {
  page: FormPage;
  /** Its number, from 1. */
  place: number;
  /** The fields before it whose answers it may depend on. */
  earlier: Field[];
  open: boolean;
  onOpen: () => void;
  onChange: (page: FormPage | undefined) => void;
};

/** The head of a page among the questions of a form. */
export function FormPageHead({ page, place, earlier, open, onOpen, onChange }: Props) {
  const t = useFormText();
  const id = useId();
  return (
    <li className="bg-canvas first:rounded-t-lg">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={`${id}-settings`}
        onClick={onOpen}
        className="flex w-full items-center gap-2 px-3 py-2.5 text-left text-[13px] font-[600] hover:bg-hover"
      >
        <FileText size={15} className="shrink-0 text-faint" aria-hidden />
        <span className="min-w-0 flex-1 truncate">{t.page.name(place, page.title)}</span>
        {(page.condition?.length ?? 0) > 0 && (
          <span className="shrink-0 font-normal text-muted max-sm:hidden">{t.marks.condition}</span>
        )}
        <ChevronDown
          size={15}
          className={join("shrink-0 text-faint transition-transform", open && "rotate-180")}
          aria-hidden
        />
      </button>
      {open && (
        <div id={`${id}-settings`} className="flex flex-col gap-4 px-4 pt-1.5 pb-5 sm:pl-16">
          <Row label={t.page.title}>
            {(at) => (
              <Input
                {...at}
                maxLength={200}
                value={page.title ?? ""}
                onChange={({ target: { value } }) => onChange({ ...page, title: value })}
              />
            )}
          </Row>
          <Row label={t.page.description}>
            {(at) => (
              <Textarea
                {...at}
                rows={2}
                maxLength={300}
                value={page.description ?? ""}
                onChange={({ target: { value } }) => onChange({ ...page, description: value })}
              />
            )}
          </Row>
          {earlier.length > 0 && (
            <FormConditions
              title={t.page.when}
              fields={earlier}
              when={page}
              onChange={(when) => onChange({ ...page, ...when })}
            />
          )}
          <div>
            <Button size="sm" look="quiet" className="-ml-2.5" onClick={() => onChange(undefined)}>
              {t.page.remove}
            </Button>
          </div>
        </div>
      )}
    </li>
  );
}
