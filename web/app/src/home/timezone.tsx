import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { updateBase } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { baseQuery } from "../api/query.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Row, Select } from "../ui/form.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { notify } from "../ui/toast.ts";

type Props = { baseId: string; onClose: () => void };

/** Chooses the time zone of a base, whose clock filters, formulas and times are read by. */
export default function TimeZoneDialog({ baseId, onClose }: Props) {
  const text = useText();
  const base = useQuery(baseQuery(baseId));
  return (
    <Dialog open onClose={onClose} title={text.home.timeZone}>
      {base.isPending && <Waiting />}
      {base.isError && !base.data && <Failed error={base.error} retry={() => void base.refetch()} />}
      {base.data && <ZoneForm baseId={baseId} zone={base.data.timeZone} onClose={onClose} />}
    </Dialog>
  );
}

function ZoneForm({ baseId, zone, onClose }: Props & { zone: string }) {
  const text = useText();
  const t = text.home;
  const [chosen, setChosen] = useState(zone);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const zones = [...new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")])];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await updateBase({ baseId, body: { timeZone: chosen } });
      notify(t.timeZoneSaved(chosen));
      onClose();
    } catch (error) {
      setProblem(Problem.from(error).message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-5">
      <Row label={t.timeZone} hint={t.timeZoneHint} error={problem}>
        {(at) => (
          <Select {...at} value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {zones.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
        )}
      </Row>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={chosen === zone}>
          {text.action.save}
        </Button>
      </div>
    </form>
  );
}
