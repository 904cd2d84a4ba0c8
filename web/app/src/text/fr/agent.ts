import type { agent as english } from "../en/agent.ts";
import { grouped } from "./number.ts";

/** The page that agents' clients show next to a result. */
export const agent: typeof english = {
  waiting: "En attente de la réponse…",
  cancelled: "L’appel a été annulé.",
  nothing: "La réponse n’a rien à montrer ici.",
  empty: "Aucun enregistrement",
  answer: "Réponse",
  chart: "Graphique",
  table: "Table",
  shownOf: (shown: number, total: number) =>
    shown === total ? `${grouped(total)} au total` : `${grouped(shown)} sur ${grouped(total)}`,
  plan: "Rien n’a encore changé. Voici ce qui se passerait.",
  sample: "Quelques enregistrements",
  record: "Enregistrement",
  field: "Champ",
  before: "Avant",
  after: "Après",
  refusals: "Lignes qui ne conviennent pas",
  apply: "Appliquer",
  applied: "Appliqué",
  expires: (at: string) => `Le plan peut être appliqué jusqu’à ${at}.`,
  failed: "Cela n’a pas fonctionné",
  appliedNews: "La personne a appliqué le plan dans la page à côté de la réponse.",
};
