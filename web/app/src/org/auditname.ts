export type AuditEvent = {
  id: string;
  time: string;
  userId: string | null;
  userName: string | null;
  credentialKind?: string;
  action: string;
  subject: string;
  detail?: unknown;
};

export type Remembered = { name?: string; gone: boolean };

/**
 * What the log itself says of its subjects, from events with the newest first: the newest name (of
 * an invitation: the address), which outlives a deletion, and whether the newest event took the
 * subject away.
 */
export function rememberedNames(events: readonly AuditEvent[]): ReadonlyMap<string, Remembered> {
  const known = new Map<string, Remembered>();
  for (const event of events) {
    const one = known.get(event.subject) ?? { gone: /^(delete|remove|revoke|leave)_/.test(event.action) };
    one.name ??= nameIn(event.detail);
    known.set(event.subject, one);
  }
  return known;
}

function nameIn(detail: unknown): string | undefined {
  if (typeof detail !== "object" || detail === null) return undefined;
  for (const key of ["name", "email"]) {
    const value = (detail as Record<string, unknown>)[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
