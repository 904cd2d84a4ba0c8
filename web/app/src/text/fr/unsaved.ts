import type { unsaved as english } from "../en/unsaved.ts";
import { grouped } from "./number.ts";

/** The list of changes that are not saved yet. */
export const unsaved: typeof english = {
  title: "Modifications non enregistrées",
  refused: "Refusées",
  waiting: "En attente d’enregistrement",
  conflicts: "Modifiées aussi par d’autres",
  choose: (table: string) => `Choisir dans «\u00a0${table}\u00a0»`,
  kept:
    "Elles sont gardées dans ce navigateur même si vous fermez cette page, et sont envoyées dès que possible.",
  notKept:
    "Ce navigateur ne peut pas conserver les modifications. Elles sont perdues à la fermeture de cette page.",
  kind: {
    edit: "Modification",
    create: "Nouvel enregistrement",
    delete: "Suppression",
    restore: "Restauration",
  },
  untitled: "Enregistrement sans titre",
  retry: "Réessayer",
  retryAll: "Tout réessayer",
  copy: "Copier",
  copyAll: "Tout copier",
  copied: "Copié",
  discard: "Abandonner",
  discardAll: "Tout abandonner",
  discardAllTitle: (count: number) =>
    count < 2 ? "Abandonner cette modification\u202f?" : `Abandonner ${grouped(count)} modifications\u202f?`,
  discardAllBody: "Ce que vous avez saisi n’est enregistré nulle part ailleurs.",
  field: (name: string, value: string) => `${name}\u00a0: ${value}`,
  empty: "vide",
  none: "Tout est enregistré.",
  more: (count: number) => `et ${grouped(count)} de plus`,
};
