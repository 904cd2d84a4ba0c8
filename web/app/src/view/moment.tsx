import { type FormEvent, useState } from "react";
import { useChangeText } from "../text/change.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Input, Row } from "../ui/form.tsx";

const hour = 3_600_000; // milliseconds
const farthest = 14 * 24; // hours that the slider goes back

/** A moment as a control for date and time has it, in the time zone of the browser. */
function localOf(time: number): string {
  const at = new Date(time);
  return new Date(time - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

export type MomentProps = { asOf: string | undefined; onChoose: (asOf: string) => void };

/** Chooses a moment: roughly with a slider, and to the second with a control for date and time. */
export function Moment({ asOf, onChoose }: MomentProps) {
  const t = useChangeText().past;
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
