import type { ShikiTransformer } from "shiki";

/**
 * Writes the colours of code as classes, which theme/code.css defines. The policy of the pages allows no style
 * attributes.
 */
export const classes: ShikiTransformer = {
  name: "rowhouse-classes",
  pre(node) {
    delete node.properties.style;
  },
  span(node) {
    const style = String(node.properties.style ?? "");
    delete node.properties.style;
    const colour = style.match(/--shiki-light:(#[0-9A-F]{6})/i)?.[1].toUpperCase();
    if (colour === undefined) return;
    const name = names[colour];
    if (name === undefined) throw new Error(`theme/code.css has no class for the colour ${colour} (${style})`);
    if (name !== "") this.addClassToHast(node, name);
  },
};

/** The colours of the theme github-light by what they mark. */
const names: Record<string, string> = {
  "#24292E": "",
  "#6A737D": "code-comment",
  "#D73A49": "code-keyword",
  "#005CC5": "code-constant",
  "#032F62": "code-string",
  "#6F42C1": "code-name",
  "#E36209": "code-variable",
  "#22863A": "code-tag",
  "#B31D28": "code-error",
};
