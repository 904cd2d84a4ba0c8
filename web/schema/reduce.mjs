// Reduces the OpenAPI document to what the application's types need, and the types to what they say.

const methods = ["get", "put", "post", "patch", "delete"];
const isNull = (form) => form.type === "null";

/** Leaves out what the application sends and reads in one place: headers and problems, and the texts of operations. */
function reduceOperation({ description, responses, parameters, ...operation }) {
  return {
    ...operation,
    parameters: parameters?.filter((parameter) => parameter.in !== "header"),
    responses: { 200: { content: (responses[200] ?? responses[202]).content } },
  };
}

/** Gives an answer of several forms the first one, which is what the application asks for. */
function withoutForms(value) {
  if (Array.isArray(value)) return value.map(withoutForms);
  if (value === null || typeof value !== "object") return value;
  const { anyOf, ...rest } = value;
  if (anyOf && !anyOf.some(isNull)) return { ...rest, ...withoutForms(anyOf[0]) };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutForms(part)]));
}

function references(value, into = new Set()) {
  if (value === null || typeof value !== "object") return into;
  if (typeof value.$ref === "string") into.add(value.$ref.split("/").at(-1));
  for (const part of Object.values(value)) references(part, into);
  return into;
}

/** Keeps the schemas that operations refer to. */
function reachable(paths, schemas) {
  const kept = references(paths);
  for (const name of kept) references(schemas[name], kept); // a set visits what is added meanwhile
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => kept.has(name)));
}

export function reduce(document) {
  const paths = {};
  for (const [path, item] of Object.entries(document.paths)) {
    paths[path] = Object.fromEntries(methods.flatMap((method) =>
      item[method] ? [[method, withoutForms(reduceOperation(item[method]))]] : [],
    ));
  }
  const schemas = withoutForms(document.components.schemas);
  return { openapi: document.openapi, info: document.info, paths, components: { schemas: reachable(paths, schemas) } };
}

const width = 120;

/** Puts objects of one member on one line, from the inside outwards. */
function onOneLine(source) {
  const shorter = source.replace(/^(.*)\{\n *([^\n/].*;)\n *(\}.*)$/gm, (whole, before, member, after) => {
    const line = `${before}{ ${member.slice(0, -1)} ${after}`;
    return line.length > width || member.endsWith("{") ? whole : line;
  });
  return shorter === source ? source : onOneLine(shorter);
}

/** Removes members that cannot be there, which openapi-typescript writes for the sake of its own client. */
export function compact(source) {
  return onOneLine(
    source
      .replace(/^ *[A-Za-z$]+\??: never;\n/gm, "")
      .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, "")
      .replace(/^export type (webhooks|\$defs) = .*\n/gm, "")
      .replace(/\bunknown \| null\b/g, "unknown")
      .replace(/\{\n\s*\}/g, "{}")
      .replace(/^ *parameters: \{\};\n( *(?:get|put|post|patch|delete|\/\*\*))/gm, "$1"),
  );
}
