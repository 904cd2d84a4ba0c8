import { Waypoints } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { configPanel } from "../config/index.ts";
import { CardLabels } from "../control/card.tsx";
import { LinkControl } from "../control/index.ts";
import type { Context } from "../context.ts";
import type { FieldKind, Label } from "../kind.ts";
import { linkedOf, linkedTable } from "../linked.ts";
import { joinNames, listOf } from "../list.ts";

function labels(value: unknown, context: Context): Label[] {
  const { untitled } = textOf(context.locale).base.record;
  return linkedOf(value, context).map(({ id, name }) => ({ id, label: name || untitled }));
}

const namesOf = (value: unknown, context: Context) => labels(value, context).map(({ label }) => label);

export const link: FieldKind = {
  name: { en: "Link to a table", de: "Verknüpfung mit einer Tabelle", fr: "Lien vers une table" },
  group: "relation",
  icon: Waypoints,
  width: 220,
  format: (value, _field, context) => namesOf(value, context).join(", "),
  copy: (value, _field, context) => joinNames(namesOf(value, context)),
  identity: listOf,
  accepts: (from, to) => from.config?.linkedTableId === to.config?.linkedTableId,
  cell: { draw: (pen, value, _field, context) => pen.labels(labels(value, context)), opens: "links" },
  Control: LinkControl,
  Card: ({ value, context }) => <CardLabels labels={labels(value, context)} />,
  Config: configPanel("LinkConfig"),
  complete: (config) => Boolean(config.linkedTableId),
  csv: {},
  linkedTable,
};
