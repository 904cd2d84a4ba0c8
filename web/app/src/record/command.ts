import type { Row, Values } from "../api/type.ts";

/** What a person wants done with one record, from then on until the service has done or refused it. */
export type Command = {
  kind: "edit" | "create" | "delete" | "restore";
  /** The record. One that the service has not made yet has an id of the page (see unsavedId). */
  id: string;
  /** The values to write, by field id; none for a deletion. */
  after: Values;
  /** The order of commands. */
  seq: number;
  /** When the person gave the command, in milliseconds since 1970. */
  at: number;
  /** The change set that it belongs to; without one its request is one. */
  changeSet?: string;
  /** The commands that were given together. */
  group?: string;
  /** The idempotency key of the request that it was sent with. Commands with the same are sent together. */
  key?: string;
  /** When it was first sent, if there is no response yet. */
  sentAt?: number;
  /**
   * True for a value that is sent separately, because a request with others was refused without
   * saying why.
   */
  alone?: boolean;
  /** The version that the record had on the page. */
  version?: number;
  /** True if it is written whatever version the record has, as long as it is young. */
  overwrite?: boolean;
  /** What the page showed before, by field id, if it has a version. */
  seen?: Values;
  /** How often the record had another version. */
  tries?: number;
};

/** Why the service refused a command. */
export type Reason = { status: number; code: string; title: string; message: string };

/** A refused command. It stays until the person decides about it. */
export type Refused = { command: Command; reason: Reason; at: number };

/** Where the records of a table are. */
export type Place = { orgId: string; baseId: string; tableId: string };

// A command that waited this long, in milliseconds, was given on a page that may be old by now.
const old = 5000;

/**
 * The version that the record of a command must have; undefined if any will do. A block of cells
 * that is written at once overwrites what others do at the same moment. A block that had to wait
 * does not, because nobody could see meanwhile what it would overwrite.
 */
export function demanded({ version, overwrite, sentAt, at }: Command, now: number): number | undefined {
  return !overwrite || sentAt !== undefined || now - at > old ? version : undefined;
}

const unsaved = "unsaved_";

/** An id for a record that the service has not made yet. */
export const unsavedId = () => `${unsaved}${crypto.randomUUID()}`;

/** Reports whether a record is one that the service has not made yet. */
export const isUnsaved = (id: string) => id.startsWith(unsaved);

let last = 0;

/** A number above all before it, including those that other pages drew earlier. */
export function nextSeq(): number {
  last = Math.max(last + 1, Date.now());
  return last;
}

/** What a page knows of a record that the service has not made yet, before its values. */
export const emptyRow = (id: string): Row => ({ id, fields: {} });
