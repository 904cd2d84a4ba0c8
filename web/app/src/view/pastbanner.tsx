import { CalendarClock } from "lucide-react";
import type { Field } from "../api/type.ts";
import { useLocale } from "../locale/locale.ts";
import { moment } from "../locale/time.ts";
import { useChangeText } from "../text/change.ts";
import { Button } from "../ui/button.tsx";

const readsLinks = ({ type }: Field) => type === "lookup" || type === "rollup" || type === "count";

export type PastBannerProps = { asOf: string; fields: Field[]; onNow: () => void };

/** Says that the past is shown, and which fields follow the links of today. Leads back to now. */
export function PastBanner({ asOf, fields, onNow }: PastBannerProps) {
  const t = useChangeText().past;
  const locale = useLocale();
  const banner = t.banner(moment(asOf, locale));
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-warn-soft px-4 py-1.5 text-warn"
    >
      <CalendarClock size={16} className="shrink-0" aria-hidden />
      <p className="min-w-0 flex-1">{fields.some(readsLinks) ? `${banner} ${t.linked}` : banner}</p>
      <Button size="sm" onClick={onNow}>
        {t.now}
      </Button>
    </div>
  );
}
