import type { product as english } from "../en/product.ts";

/** The texts of imports from other products, and of NocoDB and Baserow. */
export const product: typeof english = {
  open: "Aus NocoDB oder Baserow importieren",
  title: "Aus NocoDB oder Baserow importieren",
  againTitle: "Änderungen importieren",
  intro:
    "Tabellen, Datensätze, Verknüpfungen, Dateien und die Formeln, die eine Entsprechung haben, kommen in eine neue " +
    "Base.",
  againIntro:
    "Was dort neu ist oder sich geändert hat, kommt in diese Base. Was hier geändert wurde, bleibt, wie es ist.",
  help: "Was mitkommt und was nicht",
  product: "Produkt",
  name: { nocodb: "NocoDB", baserow: "Baserow" },
  base: { nocodb: "ID der Base", baserow: "ID der Datenbank" },
  baseHint: {
    nocodb: "Sie beginnt mit p und steht in der Adresse der Base.",
    baserow: "Die Zahl nach „database“ in der Adresse der Seiten.",
  },
  token: { nocodb: "API-Token", baserow: "Datenbank-Token" },
  tokenFate: "Solange der Import läuft, wird es verschlüsselt aufbewahrt; danach wird es gelöscht.",
  address: "Adresse Ihrer Installation",
  addressHint: "Leer lassen für den Dienst des Herstellers.",
  begin: "Importieren",
  begun: "Der Import hat begonnen",
  begunDetail:
    "Er läuft weiter, wenn Sie die Seite schließen. Den Bericht finden Sie dann in der Liste der Importe und Exporte.",
  back: "Zurück",
};
