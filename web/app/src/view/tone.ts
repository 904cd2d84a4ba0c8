import { useMemo } from "react";
import type { Row } from "../api/type.ts";
import { optionsOf, optionTone } from "../field/option.ts";
import type { RowSource } from "../record/source.ts";
import { type Tone, toneFrom } from "../ui/tone.ts";
import { colorsRecords } from "./group.ts";
import type { ViewState } from "./state.ts";

/** The tone of a record in a view: by the rules, and where it meets none by the option that it has in a field. */
export function useRowTone(source: RowSource, { ordered, config }: ViewState): (row: Row) => Tone | undefined {
  const field = ordered.find((one) => one.id === config.colorFieldId && colorsRecords(one));
  const tones = useMemo(
    () => new Map(field ? optionsOf(field).map(({ name }) => [name, optionTone(field, name)]) : []),
    [field],
  );
  return (row) =>
    toneFrom(source.colors.of(row.id)) ?? (field ? tones.get(row.fields[field.name] as string) : undefined);
}
