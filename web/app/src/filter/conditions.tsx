import { useState } from "react";
import type { ConditionsProps } from "../field/kind.ts";
import { ready } from "./op.ts";
import { FilterPanel } from "./panel.tsx";

/** Conditions on linked records, which hold at any time: days are named by their dates. */
export function Conditions({ table, filters, onChange }: ConditionsProps) {
  const [written, setWritten] = useState(filters);
  return (
    <FilterPanel
      table={table}
      filters={written}
      lasting
      onChange={(next) => {
        setWritten(next);
        onChange(ready(next, table.fields));
      }}
    />
  );
}
