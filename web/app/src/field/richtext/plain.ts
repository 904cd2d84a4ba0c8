const longest = 20_000; // characters; longer texts are shown as they are written

const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

// What is marked is looked for within a few hundred characters, so that no text takes long.

/** What a text in Markdown says, in one style, as cells and cards show it. */
export function plainOf(markdown: string): string {
  if (markdown.length > longest) return markdown;
  return markdown
    .replace(/^ {0,3}(?:#{1,6}|>) +/gm, "")
    .replace(/^( *)[-*+] \[ \] /gm, "$1☐ ")
    .replace(/^( *)[-*+] \[[xX]\] /gm, "$1☑ ")
    .replace(/^( *)[-*+] /gm, "$1• ")
    .replace(/!?\[([^\]\n]{0,200})\]\([^)\n]{0,400}\)/g, "$1")
    .replace(/(?<!\\)(\*\*|__|~~)(?=\S)([^\n]{0,200}?[^\s\\])\1/g, "$2")
    .replace(/(?<![\w\\*_])([*_])(?=[^\s*_])([^*_\n]{0,200}?[^\s\\])\1(?![\w*_])/g, "$2")
    .replace(/`([^`\n]{1,200})`/g, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity]!);
}
