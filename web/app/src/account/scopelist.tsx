import type { Scope } from "../api/type.ts";
import { useAccountText } from "../text/account.ts";

/** The scopes of a key or an application, each with what it means as its tooltip. */
export function ScopeList({ scopes }: { scopes: Scope[] }) {
  const t = useAccountText();
  return (
    <span className="mt-1 flex flex-wrap gap-1">
      {scopes.map((scope) => (
        <span
          key={scope}
          title={t.key.scope[scope]}
          className="rounded bg-sunken px-1.5 font-mono text-[11.5px] text-muted"
        >
          {scope}
        </span>
      ))}
    </span>
  );
}
