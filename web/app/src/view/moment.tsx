import { type FormEvent, useState } from "react";
import { inUtc, localTime, timeAt } from "../field/zone.ts";
import { useLocale } from "../locale/locale.ts";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Input, Row } from "../ui/form.tsx";

const hour = 3_600_000; // milliseconds
const farthest = 14 * 24; // hours that the slider goes back

/** A moment as a control for date and time has it, in a time zone. */
const localOf = (time: number, zone: string) => new Date(inUtc(localTime(time, zone))).toISOString().slice(0, 19);

/** The moment of what such a control has; NaN for an empty one. */
function momentOf(local: string, zone: string): number {
  const time = Date.parse(`${local}Z`);
  return Number.isNaN(time) ? time : timeAt(localTime(time, "UTC"), zone);
}

export type MomentProps = { asOf: string | undefined; onChoose: (asOf: string) => void };

/** Chooses a moment: roughly with a slider, and to the second with a control for date and time. */
export function Moment({ asOf, onChoose }: MomentProps) {
  const t = useChangeText().past;
  const locale = useLocale();
  const zone = locale.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone; // as the banner has it
  const [now] = useState(Date.now);
  const [chosen, setChosen] = useState(() => localOf(asOf === undefined ? now - hour : Date.parse(asOf), zone));
  const time = momentOf(chosen, zone);
  const hours = Number.isNaN(time) ? 0 : Math.min(farthest, Math.max(0, Math.round((now - time) / hour)));
  const possible = time <= now;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (possible) onChoose(new Date(time).toISOString());
  };
  return (
    <form onSubmit={submit} className="flex w-72 flex-col gap-4 p-4">
      <h2 className="text-[15px]">{useText().view.past.title}</h2>
      <Row label={t.back} hint={possible ? t.ago(hours) : undefined}>
        {(at) => (
          <input
            {...at}
            type="range"
            min={-farthest}
            max={0}
            value={-hours}
            aria-valuetext={t.ago(hours)}
            onChange={(event) => setChosen(localOf(now + Number(event.target.value) * hour, zone))}
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
            max={localOf(now, zone)}
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
