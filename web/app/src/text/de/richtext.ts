import type { richtext as english } from "../en/richtext.ts";

export const richtext: typeof english = {
  toolbar: "Formatierung",
  bold: "Fett",
  italic: "Kursiv",
  strike: "Durchgestrichen",
  code: "Code",
  heading: "Überschrift",
  bullets: "Aufzählung",
  numbers: "Nummerierte Liste",
  tasks: "Checkliste",
  quote: "Zitat",
  codeBlock: "Codeblock",
  link: "Link",
  address: "Adresse des Links",
  setLink: "Link setzen",
  removeLink: "Link entfernen",
  wrongLink: "Ein Link beginnt mit https://, http:// oder mailto:.",
  markdown: "Als Markdown bearbeiten",
  formatted: "Formatiert bearbeiten",
};
