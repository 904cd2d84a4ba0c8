/** The cells of a clipboard's table, by row. */
export type Texts = readonly (readonly string[])[];

const own = "data-rowhouse";

const quoted = (cell: string) => (/[\t\r\n"]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Writes cells as tab-separated text by the rules of RFC 4180: a cell with a tab, a line break or a
 * quotation mark is quoted.
 */
export function toText(cells: Texts): string {
  return cells.map((line) => line.map(quoted).join("\t")).join("\n");
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (cell: string) =>
  cell.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter).replace(/\r\n?|\n/g, "<br>");

/**
 * Writes cells as an HTML table. It is marked, so that a grid of Rowhouse reads the text next to
 * it, which is exact.
 */
export function toHtml(cells: Texts): string {
  const rows = cells.map((line) => `<tr>${line.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`);
  return `<table ${own}=""><tbody>${rows.join("")}</tbody></table>`;
}

/**
 * Parses the cells of a clipboard. It prefers a spreadsheet's HTML table to its text, because some
 * spreadsheets do not quote what their text needs to have quoted.
 */
export async function readCells(text: string, html: string): Promise<Texts> {
  const mine = html.includes(`<table ${own}`);
  return (mine ? undefined : readTable(html)) ?? (await readText(text, mine));
}

/** Parses tab-separated text. Quotation marks that do not enclose a whole cell are letters. */
export async function readText(text: string, exact = false): Promise<Texts> {
  const { default: Papa } = await import("papaparse");
  // Spreadsheets end the last line too. Rowhouse does not, and its last cell may be empty.
  const whole = exact ? text : text.replace(/\r\n$|\n$|\r$/, "");
  if (whole === "") return [[""]];
  const { data, errors } = Papa.parse<string[]>(whole, { delimiter: "\t" });
  if (errors.every((error) => error.type !== "Quotes")) return data;
  return whole.split(/\r\n|\n|\r/).map((line) => line.split("\t"));
}

/** Parses the table that is the only content of an HTML text; undefined when there is none or more. */
export function readTable(html: string): Texts | undefined {
  if (!/<table\b/i.test(html)) return undefined;
  // Styles would break the content policy, even in a document that is never shown.
  const plain = html.replace(/<style[^]*?<\/style>/gi, "").replace(/\sstyle=("[^"]*"|'[^']*')/gi, "");
  const page = new DOMParser().parseFromString(plain, "text/html");
  const table = page.querySelector("table");
  if (!table) return undefined;
  const cells = [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [textOf(cell), ...Array.from({ length: cell.colSpan - 1 }, () => "")]),
  );
  table.remove();
  if ((page.body.textContent ?? "").trim() !== "" || cells.length === 0) return undefined;
  const width = Math.max(...cells.map((line) => line.length));
  return cells.map((line) => [...line, ...Array.from({ length: width - line.length }, () => "")]);
}

const blocks = new Set(["P", "DIV", "LI", "TR"]);

/**
 * The text of a cell as a browser shows it: white space is one space, and a line break is one only
 * where HTML says so.
 */
function textOf(cell: Element): string {
  const walk = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return (node.nodeValue ?? "").replace(/[ \t\r\n]+/g, " ");
    if (node.nodeName === "BR") return "\n";
    const inner = [...node.childNodes].map(walk).join("");
    return blocks.has(node.nodeName) ? `\n${inner}\n` : inner;
  };
  return walk(cell)
    .replace(/ *\n */g, "\n")
    .replaceAll("\u00a0", " ")
    .trim();
}
