import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

type Shape = [name: string, attributes: Record<string, string>];

const file = /lucide-react\/dist\/esm\/icons\/([\w-]+)\.mjs$/;
const shim = fileURLToPath(new URL("../shim/icon.ts", import.meta.url));
const digit = String.raw`\s*,?\s*(-?(?:\d+\.?\d*|\.\d+))`;

const rounded = (value: number) => String(Number(value.toFixed(3)));

/** A path that begins with a relative move begins at that point of the drawing, wherever another one ends. */
function placed(d: string): string {
  const start = new RegExp(`^m${digit}${digit}`).exec(d);
  if (!start) return d;
  const rest = d.slice(start[0].length).trim();
  return `M${start[1]} ${start[2]}${/^[\d.-]/.test(rest) ? "l" : ""}${rest}`;
}

function oval(cx: number, cy: number, rx: number, ry: number): string {
  const [x, y, w] = [rounded(rx), rounded(ry), rounded(rx * 2)];
  return `M${rounded(cx - rx)} ${rounded(cy)}a${x} ${y} 0 1 0 ${w} 0a${x} ${y} 0 1 0-${w} 0`;
}

function box(x: number, y: number, width: number, height: number, r: number): string {
  const [across, down, by] = [rounded(width - 2 * r), rounded(height - 2 * r), rounded(r)];
  const corner = (dx: string, dy: string) => (r === 0 ? "" : `a${by} ${by} 0 0 1 ${dx} ${dy}`);
  return [
    `M${rounded(x + r)} ${rounded(y)}h${across}${corner(by, by)}v${down}${corner(`-${by}`, by)}`,
    `h-${across}${corner(`-${by}`, `-${by}`)}v-${down}${corner(by, `-${by}`)}z`,
  ].join("");
}

/** Returns the path of a shape, or nothing for one that a path in the colour of the text cannot replace. */
function pathOf([name, { key: _key, ...attributes }]: Shape): string | undefined {
  const known: Record<string, string[]> = {
    path: ["d"],
    circle: ["cx", "cy", "r"],
    ellipse: ["cx", "cy", "rx", "ry"],
    line: ["x1", "y1", "x2", "y2"],
    rect: ["x", "y", "width", "height", "rx", "ry"],
    polyline: ["points"],
    polygon: ["points"],
  };
  // A dot is as large as the pen, so that it is full without being filled.
  const dot = name === "circle" && Number(attributes.r) <= 1 && attributes.fill === "currentColor";
  if (Object.keys(attributes).some((one) => !known[name]?.includes(one) && !(dot && one === "fill"))) return undefined;
  const at = (one: string) => Number(attributes[one] ?? 0);
  switch (name) {
    case "path":
      return placed(attributes.d ?? "");
    case "circle":
      return oval(at("cx"), at("cy"), at("r"), at("r"));
    case "ellipse":
      return oval(at("cx"), at("cy"), at("rx"), at("ry"));
    case "line":
      return `M${attributes.x1} ${attributes.y1}L${attributes.x2} ${attributes.y2}`;
    case "rect":
      return box(at("x"), at("y"), at("width"), at("height"), at("rx") || at("ry"));
    case "polyline":
      return `M${attributes.points}`;
    case "polygon":
      return `M${attributes.points}z`;
    default:
      return undefined;
  }
}

/**
 * Replaces each icon of lucide-react by one path and what draws it. The library's own modules name, for
 * every icon, its other names, and a key for each of its shapes; they are twice as large.
 */
export function slimIcons(): Plugin {
  return {
    name: "rowhouse-slim-icons",
    enforce: "pre",
    apply: "build",
    async transform(code, id) {
      const name = file.exec(id)?.[1];
      if (!name || !code.includes("createLucideIcon(")) return null; // another name of an icon
      const { __iconData: data } = (await import(`lucide-react/icons/${name}`)) as { __iconData: { node: Shape[] } };
      const paths = data.node.map(pathOf);
      if (paths.includes(undefined)) return null;
      return {
        code: `import { icon } from ${JSON.stringify(shim)};\nexport default icon(${JSON.stringify(paths.join(""))});`,
        map: null,
        moduleSideEffects: false,
      };
    },
  };
}
