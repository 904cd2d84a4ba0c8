import { useQuery } from "@tanstack/react-query";
import { baseQuery } from "../api/query.ts";
import { useAccountText } from "../text/account.ts";
import { Row, Select } from "../ui/form.tsx";

type Props = { baseId: string; viewId: string; onChange: (viewId: string) => void };

/** Asks whether a key of one base sees only one of its views. */
export function KeyView({ baseId, viewId, onChange }: Props) {
  const t = useAccountText().key;
  const base = useQuery(baseQuery(baseId));
  return (
    <Row label={t.view} hint={viewId === "" ? undefined : t.viewHint}>
      {(at) => (
        <Select {...at} value={viewId} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t.allViews}</option>
          {base.data?.tables.map((table) => (
            <optgroup key={table.id} label={table.name}>
              {table.views
                .filter(({ type }) => type !== "form")
                .map((view) => (
                  <option key={view.id} value={view.id}>
                    {view.name}
                  </option>
                ))}
            </optgroup>
          ))}
        </Select>
      )}
    </Row>
  );
}
