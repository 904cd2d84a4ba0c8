import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { useText } from "../text/index.ts";
import { IconButton } from "../ui/button.tsx";
import { Popover } from "../ui/lazypopup.tsx";
import { Moment } from "./lazy.ts";

type ChoiceProps = { asOf: string | undefined; onChange: (asOf: string | undefined) => void };

/** A moment of the past, as of which the table is shown. */
export function PastChoice({ asOf, onChange }: ChoiceProps) {
  const t = useText().view.past;
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
