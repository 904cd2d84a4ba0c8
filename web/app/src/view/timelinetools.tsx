import { ChevronLeft, ChevronRight, ListTodo, Route, ZoomIn, ZoomOut } from "lucide-react";
import { type TimeScale, timeScales } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { useTimelineText } from "../text/timeline.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Select } from "../ui/form.tsx";
import type { ViewProps } from "./contract.ts";
import { FieldChoice } from "./fieldchoice.tsx";
import { choices, dependsOnField, laneField } from "./fieldsetting.ts";

type Props = {
  title: string;
  scale: TimeScale;
  onScale: (scale: TimeScale) => void;
  onTurn: (step: -1 | 1) => void;
  onToday: () => void;
  /** The critical path is shown; undefined where nothing depends on anything. */
  critical: boolean | undefined;
  onCritical: () => void;
  /** How many records have no days, and whether they are listed. */
  unscheduled: number | undefined;
  listed: boolean;
  onList: () => void;
} & Pick<ViewProps, "table" | "state">;

/** What is over a timeline: where it is, its scale, and the list of what has no place on it. */
export function TimelineTools(props: Props) {
  const { title, scale, onScale, onTurn, onToday, critical, onCritical, unscheduled, listed, onList, table, state } =
    props;
  const t = useTimelineText();
  const text = useText();
  const at = timeScales.indexOf(scale);
  const zoom = (step: -1 | 1) => {
    const next = timeScales[at + step];
    if (next) onScale(next);
  };
  return (
    <div className="flex flex-wrap items-center gap-1 px-4 py-2">
      <h2 className="min-w-44 text-[18px]" aria-live="polite">
        {title}
      </h2>
      <IconButton label={t.earlier} onClick={() => onTurn(-1)}>
        <ChevronLeft size={18} aria-hidden />
      </IconButton>
      <IconButton label={t.later} onClick={() => onTurn(1)}>
        <ChevronRight size={18} aria-hidden />
      </IconButton>
      <Button size="sm" className="ml-1" onClick={onToday}>
        {text.view.today}
      </Button>
      <span className="flex-1" />
      {[laneField, dependsOnField].map((setting) => {
        const fields = choices(setting, table);
        return (
          fields.length > 0 && (
            <FieldChoice
              key={setting.key}
              label={setting.label(text)}
              none={setting.none?.(text)}
              fields={fields}
              value={state.config[setting.key]}
              onChange={(fieldId) => state.set({ [setting.key]: fieldId })}
            />
          )
        );
      })}
      {critical !== undefined && (
        <Button
          size="sm"
          look="quiet"
          className={critical ? "bg-accent-soft! text-accent-ink!" : undefined}
          aria-pressed={critical}
          icon={<Route size={15} aria-hidden />}
          onClick={onCritical}
        >
          {t.criticalPath}
        </Button>
      )}
      <div className="flex items-center gap-0.5">
        <IconButton label={t.zoomOut} disabled={at === timeScales.length - 1} onClick={() => zoom(1)}>
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <Select
          aria-label={t.scale}
          className="h-7! w-28! text-[13px]"
          value={scale}
          onChange={(event) => onScale(event.target.value as TimeScale)}
        >
          {timeScales.map((one) => (
            <option key={one} value={one}>
              {t.scales[one]}
            </option>
          ))}
        </Select>
        <IconButton label={t.zoomIn} disabled={at === 0} onClick={() => zoom(-1)}>
          <ZoomIn size={16} aria-hidden />
        </IconButton>
      </div>
      <Button
        size="sm"
        look="quiet"
        className={join("ml-1", listed && "bg-accent-soft! text-accent-ink!")}
        aria-expanded={listed}
        icon={<ListTodo size={15} aria-hidden />}
        onClick={onList}
      >
        {t.unscheduled}
        <span className="tabular-nums opacity-80">{unscheduled}</span>
      </Button>
    </div>
  );
}
