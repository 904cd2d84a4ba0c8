import { CalendarClock } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Field } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { moment } from "../locale/time.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Input, Row } from "../ui/form.tsx";
import { Popover } from "../ui/menu.tsx";

const readsLinks = ({ type }: Field) => type === "lookup" || type === "rollup" || type === "count";

const hour = 3_600_000; // milliseconds
const farthest = 14 * 24; // hours that the slider goes back

/** A moment as a control for date and time has it, in the time zone of the browser. */
function localOf(time: number): string {
  const at = new Date(time);
  return new Date(time - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

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

/** Chooses a moment: roughly with a slider, and to the second with a control for date and time. */
function Moment({ asOf, onChoose }: { asOf: string | undefined; onChoose: (asOf: string) => void }) {
  const t = useText().change.past;
  const [now] = useState(Date.now);
  const [chosen, setChosen] = useState(() => localOf(asOf === undefined ? now - hour : Date.parse(asOf)));
  const time = new Date(chosen).getTime();
  const hours = Number.isNaN(time) ? 0 : Math.min(farthest, Math.max(0, Math.round((now - time) / hour)));
  const possible = time <= now;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (possible) onChoose(new Date(time).toISOString());
  };
  return (
    <form onSubmit={submit} className="flex w-72 flex-col gap-4 p-4">
      <h2 className="text-[15px]">{t.title}</h2>
      <Row label={t.back} hint={possible ? t.ago(hours) : undefined}>
        {(at) => (
          <input
            {...at}
            type="range"
            min={-farthest}
            max={0}
            value={-hours}
            aria-valuetext={t.ago(hours)}
            onChange={(event) => setChosen(localOf(now + Number(event.target.value) * hour))}
            className="w-full accent-(--accent)"
          />
        )}
      </Row>
      <Row label={t.when} error={possible ? undefined : t.future}>
        {(at) => (
          <Input
            {...at}
            type="datetime-local"
            step={1}
            max={localOf(now)}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
      </Row>
      <Button type="submit" look="primary" disabled={!possible}>
        {t.show}
      </Button>
    </form>
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
