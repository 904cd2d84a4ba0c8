import { Eye } from "lucide-react";
import { endViewAs, viewAs } from "../api/viewas.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";

/** Says that a creator looks at the base as somebody else, and ends that. */
export function ViewAsBar() {
  const t = useText().base.viewAs;
  const as = viewAs();
  if (!as) return null;
  return (
    <div
      role="status"
      className="flex items-center gap-3 border-b border-line bg-accent-soft px-4 py-1.5 text-accent-ink"
    >
      <Eye size={15} aria-hidden />
      <p className="min-w-0 flex-1 truncate">{t.bar(as.name)}</p>
      <Button size="sm" onClick={endViewAs}>
        {t.end}
      </Button>
    </div>
  );
}
