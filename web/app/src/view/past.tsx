import { CalendarClock } from "lucide-react";
import { useState } from "react";
import type { Field } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { moment } from "../locale/time.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Popover } from "../ui/lazypopup.tsx";
import { Moment } from "./lazy.ts";

const readsLinks = ({ type }: Field) => type === "lookup" || type === "rollup" || type === "count";

type ChoiceProps = { asOf: string | undefined; onChange: (asOf: string | undefined) => void };

/** A moment of the past, as of which the table is shown. */
export function PastChoice({ asOf, onChange }: ChoiceProps) {
  const t = useText().change.past;
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={t.title}
      open={open}
      onOpenChange={setOpen}
      align="end"
      trigger={
        <IconButton
          size="sm"
          label={t.look}
          className={asOf === undefined ? "max-sm:order-2" : "bg-warn-soft text-warn! max-sm:order-2"}
        >
          <CalendarClock size={15} aria-hidden />
        </IconButton>
      }
    >
      <Moment
        asOf={asOf}
        onChoose={(next) => {
          setOpen(false);
          onChange(next);
        }}
      />
    </Popover>
  );
}

type BannerProps = { asOf: string; fields: Field[]; onNow: () => void };

/** Says that the past is shown, and which fields follow the links of today. Leads back to now. */
export function PastBanner({ asOf, fields, onNow }: BannerProps) {
  const t = useText().change.past;
  const locale = useLocale();
  const banner = t.banner(moment(asOf, locale));
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-warn-soft px-4 py-1.5 text-warn"
    >
      <CalendarClock size={16} className="shrink-0" aria-hidden />
      <p className="min-w-0 flex-1">{fields.some(readsLinks) ? `${banner} ${t.linked}` : banner}</p>
      <Button size="sm" onClick={onNow}>
        {t.now}
      </Button>
    </div>
  );
}
