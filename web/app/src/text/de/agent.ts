import type { agent as english } from "../en/agent.ts";
import { grouped } from "./number.ts";

/** The page that agents' clients show next to a result. */
export const agent: typeof english = {
  waiting: "Warten auf die Antwort…",
  cancelled: "Der Aufruf wurde abgebrochen.",
  nothing: "Die Antwort enthält nichts, was sich hier anzeigen lässt.",
  empty: "Keine Datensätze",
  answer: "Antwort",
  chart: "Diagramm",
  table: "Tabelle",
  shownOf: (shown: number, total: number) =>
    shown === total ? `${grouped(total)} insgesamt` : `${grouped(shown)} von ${grouped(total)}`,
  plan: "Es wurde noch nichts geändert. Das würde geschehen.",
  sample: "Einige der Datensätze",
  record: "Datensatz",
  field: "Feld",
  before: "Vorher",
  after: "Nachher",
  refusals: "Zeilen, die nicht passen",
  apply: "Ausführen",
  applied: "Ausgeführt",
  expires: (at: string) => `Der Plan kann bis ${at} ausgeführt werden.`,
  failed: "Das hat nicht geklappt",
  appliedNews: "Die Person hat den Plan auf der Seite neben der Antwort ausgeführt.",
};
