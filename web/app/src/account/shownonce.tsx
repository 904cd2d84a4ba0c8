import { TriangleAlert } from "lucide-react";
import type { CreatedKey } from "../api/account.ts";
import { useAccountText } from "../text/account.ts";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { mcpConfiguration } from "../base/code/snippet.ts";

/** Shows a new key's value, the only time that anybody can read it, with what to do with it. */
export function ShownOnce({ made, onClose }: { made: CreatedKey | undefined; onClose: () => void }) {
  const t = useAccountText().key;
  return (
    <Dialog
      open={made !== undefined}
      onClose={onClose}
      title={t.createdTitle}
      size="md"
      explicit
      footer={
        <Button look="primary" onClick={onClose}>
          {t.kept}
        </Button>
      }
    >
      {made && (
        <div className="flex flex-col gap-5">
          <p className="flex items-start gap-2.5 rounded-lg bg-warn-soft px-3.5 py-2.5 text-warn">
            <TriangleAlert size={17} className="mt-0.5 shrink-0" aria-hidden />
            {t.once}
          </p>
          <div>
            <h3 className="mb-1.5 text-[13px]">{t.value}</h3>
            <Code label={t.value}>{made.value}</Code>
          </div>
          <div>
            <h3 className="mb-1.5 text-[13px]">{t.curl}</h3>
            <Code label={t.curl}>{`curl ${location.origin}/api/v1/me \\\n  -H "x-api-key: ${made.value}"`}</Code>
          </div>
          {made.key.scopes.includes("mcp:tools") && (
            <div>
              <h3 className="mb-1.5 text-[13px]">{t.mcp}</h3>
              <Code label={t.mcp}>{mcpConfiguration(location.origin, made.value)}</Code>
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}
