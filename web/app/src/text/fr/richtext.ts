import type { richtext as english } from "../en/richtext.ts";

export const richtext: typeof english = {
  toolbar: "Mise en forme",
  bold: "Gras",
  italic: "Italique",
  strike: "Barré",
  code: "Code",
  heading: "Titre",
  bullets: "Liste à puces",
  numbers: "Liste numérotée",
  tasks: "Liste de tâches",
  quote: "Citation",
  codeBlock: "Bloc de code",
  link: "Lien",
  address: "Adresse du lien",
  setLink: "Appliquer le lien",
  removeLink: "Retirer le lien",
  wrongLink: "Un lien commence par https://, http:// ou mailto:.",
  markdown: "Modifier en Markdown",
  formatted: "Modifier avec la mise en forme",
};
