// What a spreadsheet runs: a text that begins with =, @, a tab or a carriage return, or with a sign
// and then anything but digits, as a phone number has. A text that has apostrophes before such a
// beginning gets one more, so that the import can recognize its own.
const formula = /^(?:[=@\t\r][^]|[+-](?![0-9 \t\r\n().,]*$)[^]|'+[=+\-@\t\r][^])/;

function written(cell: string | number, alone: boolean): string {
  const text = typeof cell === "string" && formula.test(cell) ? `'${cell}` : String(cell);
  const quoted = text === "" ? alone : /[,"\r\n;\t|]/.test(text) || text !== text.trim();
  return quoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Writes rows that only the page has, results of SQL and rows that an import refused, as the service writes CSV
 * (internal/delimited/write.go); both are tested with the same cases. A text that a spreadsheet would run as a formula
 * gets an apostrophe in front, which the import takes away again.
 */
export function writeRows(rows: (string | number)[][]): string {
  return rows
    .map((row) => {
      const blank = row.every((cell) => cell === "");
      return `${row.map((cell, index) => written(cell, blank && index === 0)).join(",")}\r\n`;
    })
    .join("");
}

/** Hands a text to the browser as a file to be saved. */
export function saveFile(name: string, content: string) {
  const address = URL.createObjectURL(new Blob(["\ufeff", content], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
