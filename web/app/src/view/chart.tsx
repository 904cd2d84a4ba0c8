import { ChartColumn, ChartLine, ChartPie, Check, Hash, Settings2, Table2 } from "lucide-react";
import { useState } from "react";
import { type ChartConfig, type ChartKind, chartKinds } from "../api/type.ts";
import { readChart } from "../chart/chart.ts";
import { ChartFigure, chartTitle } from "../chart/figure.tsx";
import { ChartPanel } from "../chart/panel.tsx";
import { useChartText } from "../text/chart.ts";
import { useGridText } from "../text/grid.ts";
import { Button } from "../ui/button.tsx";
import { Menu, MenuHeading, MenuItem, Popover } from "../ui/lazypopup.tsx";
import type { ChartOptionsProps, ChartViewProps } from "./contract.ts";

const symbols = { bar: ChartColumn, line: ChartLine, pie: ChartPie, number: Hash };

/** A chart of the records of a table, or the table of its numbers. */
export function ChartView({ table, state, query, onOpen }: ChartViewProps) {
  const t = useChartText();
  const [asTable, setAsTable] = useState(false);
  const { chart } = state.config;
  return (
    <div className="@container flex min-h-0 flex-1 flex-col p-4 max-sm:p-2">
      {chart && chart.kind !== "number" && (
        <div className="flex items-center justify-end gap-2 pb-1">
          <h2 className="flex-1 truncate px-1 text-[15px] sm:hidden">
            <Summary table={table} chart={chart} />
          </h2>
          <Button
            look="quiet"
            size="sm"
            icon={asTable ? <ChartColumn size={15} aria-hidden /> : <Table2 size={15} aria-hidden />}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? t.asChart : t.asTable}
          </Button>
        </div>
      )}
      <ChartFigure table={table} config={chart} query={query} asTable={asTable} onOpen={onOpen} />
    </div>
  );
}

/** What the toolbar offers for a chart: its kind, and what it shows. */
export function ChartOptions({ table, state }: ChartOptionsProps) {
  const t = useChartText();
  const chart: ChartConfig = state.config.chart ?? { kind: "bar" };
  const set = (next: ChartConfig) => state.set({ chart: next });
  return (
    <>
      <KindChoice kind={chart.kind} onChange={(kind) => set({ ...chart, kind })} />
      <Popover
        label={t.settings}
        trigger={
          <Button look="quiet" size="sm" icon={<Settings2 size={15} aria-hidden />}>
            <span className="sr-only">{`${t.settings}: `}</span>
            <span className="max-w-80 truncate max-sm:sr-only">
              <Summary table={table} chart={chart} />
            </span>
          </Button>
        }
      >
        <ChartPanel fields={state.ordered} chart={chart} onChange={set} />
      </Popover>
    </>
  );
}

function Summary({ table, chart }: Pick<ChartOptionsProps, "table"> & { chart: ChartConfig }) {
  const t = useChartText();
  const words = useGridText();
  const read = readChart(table, chart);
  const title = typeof read === "string" ? t.choose : chartTitle(read, t, words);
  return title;
}

function KindChoice({ kind, onChange }: { kind: ChartKind; onChange: (kind: ChartKind) => void }) {
  const t = useChartText();
  const Chosen = symbols[kind];
  return (
    <Menu
      trigger={
        <Button size="sm" look="quiet" icon={<Chosen size={15} aria-hidden />}>
          <span className="sr-only">{`${t.kindLabel}: `}</span>
          {t.kind[kind]}
        </Button>
      }
    >
      <MenuHeading>{t.kindLabel}</MenuHeading>
      {chartKinds.map((one) => {
        const Symbol = symbols[one];
        return (
          <MenuItem
            key={one}
            icon={<Symbol size={15} />}
            hint={one === kind && <Check size={15} />}
            onSelect={() => onChange(one)}
          >
            {t.kind[one]}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
