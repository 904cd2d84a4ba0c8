import type { Scope } from "../api/type.ts";

/** Every scope, in the order in which they are offered. */
export const scopes: Scope[] = [
  "data:read",
  "data:write",
  "schema:read",
  "schema:write",
  "members:read",
  "members:manage",
  "mcp:tools",
];

export const presets = {
  read: ["data:read", "schema:read"],
  write: ["data:read", "data:write", "schema:read"],
  mcp: ["data:read", "data:write", "schema:read", "schema:write", "mcp:tools"],
  full: scopes,
} satisfies Record<string, Scope[]>;

export type Preset = keyof typeof presets | "custom";

/** The preset that has exactly these scopes. */
export function presetOf(chosen: Scope[]): Preset {
  const found = Object.entries(presets).find(
    ([, list]) => list.length === chosen.length && list.every((scope) => chosen.includes(scope)),
  );
  return (found?.[0] as Preset | undefined) ?? "custom";
}
