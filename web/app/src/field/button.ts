import type { Field, Values } from "../api/type.ts";

/**
 * The address that a button field opens for a record: {Field name} in the configured address is
 * replaced by the record's value, escaped. Only http and https addresses are opened; undefined for
 * all others.
 */
export function buttonAddress(field: Field, values: Values): string | undefined {
  const template = field.config?.url;
  if (!template) return undefined;
  const filled = template.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    if (!(name in values)) return whole;
    const value = values[name];
    return encodeURIComponent(
      value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value),
    );
  });
  try {
    const address = new URL(filled);
    return address.protocol === "https:" || address.protocol === "http:" ? address.href : undefined;
  } catch {
    return undefined;
  }
}
