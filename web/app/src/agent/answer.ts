/** What the structured answers of tools show: a table of what was asked for, or a plan. */

export type Grid = { columns: { name: string; type?: string }[]; rows: unknown[][] };

export type Plan = {
  facts: { name: string; value: string }[]; // how many records and the like
  sample: { record: string; fields: { name: string; before: unknown; after?: unknown }[] }[];
  refusals: Grid | undefined;
  token: string | undefined; // of a plan that can be applied
  expiresAt: string | undefined;
};

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A value of a record as a person reads it: what is linked by its title, people by their names, files by
 * theirs, and lists with commas.
 */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable).filter(isSaid).join(", ");
  if (!isMembers(value)) return value;
  for (const name of ["title", "name", "filename", "email", "label", "error"])
    if (typeof value[name] === "string") return value[name];
  const own = Object.values(value); // a link, as {short id: title}
  return own.every((one) => typeof one !== "object") ? own.filter(isSaid).join(", ") : JSON.stringify(value);
}

const isSaid = (value: unknown) => value !== null && value !== undefined && value !== "";

/** The columns of rows that programs need, and that mean nothing to a person. */
const ofRecord = new Set(["_id", "_version", "_createdTime"]);

/** The table of an answer; undefined if it has none. */
export function gridOf(answer: Members): Grid | undefined {
  const { columns, rows, records, groups } = answer;
  if (Array.isArray(columns) && Array.isArray(rows)) {
    const own = Math.max(0, columns.findIndex((one) => !ofRecord.has(String(one)))); // they come first
    return {
      columns: columns
        .map((one) =>
          isMembers(one) ? { name: String(one.name), type: String(one.type) } : { name: String(one) },
        )
        .slice(own),
      rows: rows.map((row) => (Array.isArray(row) ? row.map(readable) : [readable(row)]).slice(own)),
    };
  }
  if (Array.isArray(records)) return gridOfObjects(records.map((one) => (isMembers(one) ? one.fields : undefined)));
  if (Array.isArray(groups))
    return gridOfObjects(
      groups.map((one) =>
        isMembers(one) && isMembers(one.key) && isMembers(one.results) ? { ...one.key, ...one.results } : undefined,
      ),
    );
  return undefined;
}

/** A row for each object, with a column for each member that any of them has. */
function gridOfObjects(list: unknown[]): Grid {
  const objects = list.filter(isMembers);
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  return {
    columns: names.map((name) => ({ name })),
    rows: objects.map((one) => names.map((name) => readable(one[name]))),
  };
}

const notFacts = new Set(["planToken", "expiresAt", "note", "changeSet"]);

/** The plan that an answer is; undefined if the call did not ask for one. */
export function planOf(answer: Members, input: Members): Plan | undefined {
  if (input.plan !== true) return undefined;
  const facts = Object.entries(answer).flatMap(([name, value]) => {
    if (notFacts.has(name) || !isSaid(value)) return [];
    if (Array.isArray(value)) {
      if (value.length === 0 || value.some((one) => typeof one === "object")) return [];
      return [{ name: spaced(name), value: value.join(", ") }];
    }
    return typeof value === "object" ? [] : [{ name: spaced(name), value: String(value) }];
  });
  const { planToken, expiresAt, sample, refusals } = answer;
  return {
    facts,
    sample: Array.isArray(sample) ? sample.filter(isMembers).map(changeOf) : [],
    refusals: Array.isArray(refusals) && refusals.length > 0 ? gridOfObjects(refusals) : undefined,
    token: typeof planToken === "string" ? planToken : undefined,
    expiresAt: typeof expiresAt === "string" ? expiresAt : undefined,
  };
}

function changeOf(one: Members): Plan["sample"][number] {
  const before = isMembers(one.before) ? one.before : {};
  const after = isMembers(one.after) ? one.after : undefined;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after ?? {})])];
  return {
    record: String(one.title ?? one.id ?? ""),
    fields: names.map((name) => ({
      name,
      before: readable(before[name]),
      ...(after ? { after: readable(after[name]) } : {}),
    })),
  };
}

/** A name such as newOptions as words. */
function spaced(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
