import { grouped } from "./number.ts";

const records = (count: number) => (count === 1 ? "1 record" : `${grouped(count)} records`);

const several = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

/** Says how long ago something was: in hours, and from two days on in days and hours. */
function ago(hours: number): string {
  if (hours === 0) return "Now";
  if (hours < 48) return `${several(hours, "hour")} ago`;
  const rest = hours % 24;
  const days = several(Math.floor(hours / 24), "day");
  return rest === 0 ? `${days} ago` : `${days} and ${several(rest, "hour")} ago`;
}

type Sentence = (kind: string, name: string) => string;
type Becoming = { updated: Sentence } & Record<string, Sentence | undefined>;

/** Changes that were made: history, undo, reverts, trash, and the past. */
export const change = {
  did: {
    created: (count: number, table: string) => `${records(count)} added to ${table}`,
    updated: (count: number, table: string) => `${records(count)} changed in ${table}`,
    deleted: (count: number, table: string) => `${records(count)} deleted in ${table}`,
    restored: (count: number, table: string) => `${records(count)} restored in ${table}`,
    linked: (count: number, table: string) => `${records(count)} linked in ${table}`,
  },
  shaped: {
    kinds: { base: "base", table: "table", field: "field", view: "view" },
    created: (kind: string, name: string) => `Created the ${kind} ${name}`,
    updated: (kind: string, name: string) => `Changed the ${kind} ${name}`,
    renamed: (kind: string, name: string) => `Renamed a ${kind} to ${name}`,
    retyped: (kind: string, name: string) => `Changed the type of the ${kind} ${name}`,
    deleted: (kind: string, name: string) => `Deleted the ${kind} ${name}`,
    restored: (kind: string, name: string) => `Restored the ${kind} ${name}`,
    purged: (kind: string, name: string) => `Deleted the ${kind} ${name} for good`,
    column: (field: string) => `Deleted the former values of ${field} for good`,
    records: (count: number) => `Deleted ${records(count)} for good`,
  },
  more: (count: number) => `${count} more`,
  nothing: "Nothing changed",
  undid: (what: string) => `Undid: ${what}`,
  redid: (what: string) => `Redid: ${what}`,
  reverted: (what: string) => `Reverted: ${what}`,
  nothingToUndo: "Nothing to undo",
  nothingToRedo: "Nothing to redo",
  notUndone: "Nothing was undone",
  notRedone: "Nothing was redone",
  skipped: (count: number) => (count === 1 ? "1 newer change was kept." : `${grouped(count)} newer changes were kept.`),
  revert: {
    title: "Revert these changes?",
    undo: "Undo this change?",
    redo: "Redo this change?",
    will: "This reverts",
    body: "Values, records, fields, tables and views become what they were before. You can undo the revert.",
    objects: "Tables, fields and views",
    becomesOf: {
      restored: (kind: string, name: string) => `The ${kind} ${name} comes back.`,
      removed: (kind: string, name: string) => `The ${kind} ${name} goes to the trash.`,
      updated: (kind: string, name: string) => `The ${kind} ${name} becomes what it was.`,
    } as Becoming,
    newer: (count: number) =>
      count === 1
        ? "1 value has changed again since. Keep it, or overwrite it with the earlier one."
        : `${grouped(count)} values have changed again since. Keep them, or overwrite them with the earlier ones.`,
    conflicts: "Newer changes",
    now: "Now",
    becomes: "Would become",
    reasons: {
      changed: "Changed since",
      deleted: "Deleted since",
      gone: "Deleted, and no longer known",
      required: "The field must not be empty now",
      not_unique: "Another record has this value",
      option_gone: "The option was deleted",
      person_left: "The person has left",
      holds_one: "The field holds one value now",
      file_gone: "The file was deleted",
      needed: "Its table needs it now",
      taken: "Another one has this name now",
    } as Record<string, string | undefined>,
    properties: {
      name: "Name",
      icon: "Icon",
      type: "Type",
      position: "Position",
      hidden: "Visibility",
      width: "Width",
      access: "Access",
      workspace_id: "Workspace",
      "config.options": "Options",
      "config.filters": "Filters",
      "config.sorts": "Sorts",
    } as Record<string, string | undefined>,
    settings: "Settings",
    by: (name: string, when: string) => `by ${name}, ${when}`,
    others: (count: number) => `And ${grouped(count)} more.`,
    revert: "Revert",
    skip: "Keep newer",
    overwrite: "Overwrite",
  },
  list: {
    body: "Everything that people, keys and apps changed in this base, newest first.",
    empty: "No changes yet",
    noneFound: "No change matches",
    filters: "Filter changes",
    person: "Person",
    everybody: "Everybody",
    credential: "Made with",
    anyCredential: "Anything",
    table: "Table",
    anyTable: "All tables",
    revert: "Revert…",
    revertThis: (what: string) => `Revert: ${what}`,
    isReverted: "Reverted",
    isRevert: "Revert",
    wait: "Checking what this would revert…",
  },
  by: {
    key: "with an API key",
    grt: "with a connected app",
    viw: "through a public link",
    job: "with an import",
  } as Record<string, string | undefined>,
  record: {
    fields: "Fields",
    history: "History",
    actions: {
      created: "added the record",
      updated: "changed the record",
      deleted: "deleted the record",
      linked: "changed a link to the record",
      restored: "restored the record",
    },
    moved: "moved the record in a view",
    from: "Before",
    to: "After",
    empty: "Empty",
    restore: "Restore this version",
    current: "Current version",
    restored: "The version was restored",
    same: "The record has these values already",
    none: "No changes of this record are known",
    older: "Older changes are not kept.",
  },
  trashPage: {
    body: "What was deleted in this base. You can restore it until the day it is deleted for good.",
    empty: "The trash is empty",
    emptyBody: "Deleted records, fields, tables and views are kept here for a while.",
    kind: "Show",
    all: "Everything",
    kinds: {
      record: "Records",
      table: "Tables",
      field: "Fields",
      view: "Views",
      column: "Values before a change of type",
    },
    deleted: (name: string, when: string) => `Deleted by ${name}, ${when}`,
    kept: (day: string) => `Kept until ${day}`,
    inTable: (table: string) => `in ${table}`,
    restore: "Restore",
    restoreThis: (name: string) => `Restore ${name}`,
    purge: "Delete for good",
    purgeThis: (name: string) => `Delete ${name} for good`,
    purgeTitle: (name: string) => `Delete “${name}” for good?`,
    purgeBody: "Nobody can restore it then.",
    restored: (name: string) => `“${name}” was restored`,
    purged: (name: string) => `“${name}” was deleted for good`,
  },
  past: {
    when: "Date and time",
    back: "How long ago",
    ago,
    show: "Show",
    future: "Choose a moment in the past.",
    banner: (when: string) => `You see this table as it was on ${when}. It is read-only.`,
    linked: "Lookups, rollups and counts follow the links of today.",
    now: "Back to now",
  },
};
