import { writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import type { Spread } from "./measure.ts";

type Line = { name: string; value: string; goal: string };
const lines: Line[] = [];
const load = loadavg()[0]?.toFixed(1);

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ""));
const shown = (value: Spread | number | string) =>
  typeof value === "string"
    ? value
    : typeof value === "number"
      ? number(value)
      : `${number(value.p50)} (p95 ${number(value.p95)}, worst ${number(value.worst)}, of ${value.count})`;

export const percent = (part: number, whole: number) =>
  `${((100 * part) / Math.max(1, whole)).toFixed(2)} % (${part} of ${whole})`;

/** Records a figure and prints it. */
export function figure(name: string, value: Spread | number | string, goal = "") {
  lines.push({ name, value: shown(value), goal });
  process.stdout.write(`${name.padEnd(72)} ${shown(value)}${goal ? `   goal ${goal}` : ""}\n`);
}

const head = `# Benchmarks in the browser

\`make bench\` writes this page. \`web/app/bench\` drives headless Chromium without a graphics
processor against the built binary with its own PostgreSQL and Redis, all on the machine named
below. The table has twenty fields of different types and is loaded over REST. "The script arrived" is
the moment at which the application's entry script could begin to run. A row counts as shown when
its name is drawn on the canvas. Frames are measured in the page between animation frames; the browser makes sixty in a
second, so that none is shorter than 16.6 ms. A key counts as painted when the frame with its letter is. An edit
counts as saved when its response has reached the browser, measured from the press of Enter; it is
then read back over REST. The imported file is generated and has 20 columns (LINES sets the number
of rows, CSV names another file). Where several values are given the first is the median.
`;

/** Writes the figures to the file that REPORT names, if it is set. */
export async function write() {
  const path = process.env.REPORT;
  if (!path) return;
  const time = new Date().toISOString().slice(0, 16).replace("T", " ");
  const processor = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} processors`;
  const average = `load average ${load} before and ${loadavg()[0]?.toFixed(1)} after`;
  const table = [
    "| what | measured | goal |",
    "|---|--:|--:|",
    ...lines.map((line) => `| ${line.name} | ${line.value} | ${line.goal} |`),
  ];
  await writeFile(path, `${head}\n${time} UTC, ${processor}, ${average}.\n\n${table.join("\n")}\n`);
}
