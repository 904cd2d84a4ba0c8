import { TriangleAlert } from "lucide-react";
import { useWebhookText } from "../text/webhook.ts";
import { Button } from "../ui/button.tsx";
import { Code } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** A new secret; without a value if the answer that had it was lost. */
export type Secret = { value: string | undefined; rotated: boolean };

/** Shows a new secret of a webhook, the only time that anybody can read it. */
export function SecretDialog({ secret, onClose }: { secret: Secret | undefined; onClose: () => void }) {
  const t = useWebhookText();
  return (
    <Dialog
      open={secret !== undefined}
      onClose={onClose}
      title={secret?.rotated ? t.rotated : t.made}
      size="md"
      explicit
      footer={
        <Button look="primary" onClick={onClose}>
          {t.kept}
        </Button>
      }
    >
      {secret && (
        <div className="flex flex-col gap-5">
          <p className="flex items-start gap-2.5 rounded-lg bg-warn-soft px-3.5 py-2.5 text-warn">
            <TriangleAlert size={17} className="mt-0.5 shrink-0" aria-hidden />
            {secret.value ? t.once : t.secretLost}
          </p>
          {secret.value && (
            <div>
              <h3 className="mb-1.5 text-[13px]">{t.secret}</h3>
              <Code label={t.secret}>{secret.value}</Code>
            </div>
          )}
          <p className="text-muted">{secret.rotated ? t.secretOverlap : t.secretUse}</p>
        </div>
      )}
    </Dialog>
  );
}
