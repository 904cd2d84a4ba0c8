import type { Base, Field, Table, Values } from "../../api/type.ts";
import { kindOf } from "../../field/kind/index.ts";

const placeholder = "YOUR_API_KEY";

export const languages = ["curl", "javascript", "python", "go"] as const;
export type Language = (typeof languages)[number];
export const languageNames: Record<Language, string> = {
  curl: "curl",
  javascript: "JavaScript",
  python: "Python",
  go: "Go",
};

export const actions = ["list", "create", "update", "remove"] as const;
export type Action = (typeof actions)[number];

/** A value that the field would take; undefined for one that nobody could know. */
export const exampleOf = (field: Field): unknown => kindOf(field.type).example?.(field);

/** A record's fields with a value for each that has an example. */
function exampleFields(table: Table): Values {
  const fields: Values = {};
  for (const field of table.fields) {
    const value = exampleOf(field);
    if (value !== undefined) fields[field.name] = value;
  }
  return fields;
}

type Request = { method: string; path: string; body?: unknown };

export function requestOf(action: Action, table: Table): Request {
  const records = `/api/v1/tables/${table.id}/records`;
  const fields = exampleFields(table);
  switch (action) {
    case "list":
      return { method: "GET", path: `${records}?limit=10` };
    case "create":
      return { method: "POST", path: records, body: { records: [{ fields }] } };
    case "update":
      return {
        method: "PATCH",
        path: "/api/v1/records/RECORD_ID",
        body: { fields: Object.fromEntries(Object.entries(fields).slice(0, 1)) },
      };
    case "remove":
      return { method: "DELETE", path: "/api/v1/records/RECORD_ID" };
  }
}

const json = (value: unknown, indent = 2) => JSON.stringify(value, null, indent);
const shellQuote = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;

/** A value as Python writes it. */
function python(value: unknown, depth = 0): string {
  const pad = "    ".repeat(depth + 1);
  const end = "    ".repeat(depth);
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object")) return `[${value.map((item) => python(item)).join(", ")}]`;
    return `[\n${value.map((item) => `${pad}${python(item, depth + 1)},\n`).join("")}${end}]`;
  }
  if (typeof value === "object")
    return `{\n${Object.entries(value)
      .map(([key, item]) => `${pad}${json(key)}: ${python(item, depth + 1)},\n`)
      .join("")}${end}}`;
  return json(value);
}

/** The code that makes the request, with the base's own address and ids. */
export function snippet(language: Language, { method, path, body }: Request, origin: string): string {
  const url = origin + path;
  switch (language) {
    case "curl": {
      const lines = [
        `curl ${method === "GET" ? "" : `-X ${method} `}${shellQuote(url)}`,
        `-H ${shellQuote(`x-api-key: ${placeholder}`)}`,
      ];
      if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(json(body))}`);
      return lines.join(" \\\n  ");
    }
    case "javascript": {
      const type = body === undefined ? "" : `, "Content-Type": "application/json"`;
      const headers = `{ "x-api-key": "${placeholder}"${type} }`;
      const options = [
        ...(method === "GET" ? [] : [`  method: "${method}",`]),
        `  headers: ${headers},`,
        ...(body === undefined ? [] : [`  body: JSON.stringify(${json(body).replaceAll("\n", "\n  ")}),`]),
      ];
      return [
        `const response = await fetch(${json(url)}, {`,
        ...options,
        "});",
        "if (!response.ok) throw new Error((await response.json()).detail);",
        "console.log(await response.json());",
      ].join("\n");
    }
    case "python": {
      const call = [
        `    ${json(url)},`,
        `    headers={"x-api-key": "${placeholder}"},`,
        ...(body === undefined ? [] : [`    json=${python(body, 1)},`]),
        "    timeout=30,",
      ];
      return [
        "import requests",
        "",
        `response = requests.${method.toLowerCase()}(`,
        ...call,
        ")",
        "response.raise_for_status()",
        "print(response.json())",
      ].join("\n");
    }
    case "go": {
      const source = body === undefined ? "nil" : "body";
      const imports = ["fmt", "io", "log", "net/http", ...(body === undefined ? [] : ["strings"])];
      return [
        "package main",
        "",
        "import (",
        ...imports.map((name) => `\t"${name}"`),
        ")",
        "",
        "func main() {",
        ...(body === undefined ? [] : [`\tbody := strings.NewReader(${goString(json(body))})`]),
        `\trequest, err := http.NewRequest("${method}", ${json(url)}, ${source})`,
        "\tif err != nil {",
        "\t\tlog.Fatal(err)",
        "\t}",
        `\trequest.Header.Set("x-api-key", "${placeholder}")`,
        ...(body === undefined ? [] : [`\trequest.Header.Set("Content-Type", "application/json")`]),
        "\tresponse, err := http.DefaultClient.Do(request)",
        "\tif err != nil {",
        "\t\tlog.Fatal(err)",
        "\t}",
        "\tdefer response.Body.Close()",
        "\tanswer, err := io.ReadAll(response.Body)",
        "\tif err != nil {",
        "\t\tlog.Fatal(err)",
        "\t}",
        "\tfmt.Println(response.Status, string(answer))",
        "}",
      ].join("\n");
    }
  }
}

const goString = (value: string) => (value.includes("`") ? json(value) : `\`${value}\``);

/** The configuration that MCP clients read, with the key in a header. */
export function mcpConfiguration(origin: string, key = placeholder): string {
  return json({
    mcpServers: { rowhouse: { type: "http", url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } } },
  });
}

/** What to ask an assistant about this base, with its real names. */
export function mcpQuestion(base: Base, table: Table): string {
  return `In the base "${base.name}" (${base.id}), list the first ten records of "${table.name}" (${table.id}).`;
}
