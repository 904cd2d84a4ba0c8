import { useQuery } from "@tanstack/react-query";
import { LayoutDashboard } from "lucide-react";
import { Link } from "../route/link.tsx";
import { navigate, useParams } from "../route/router.ts";
import { useBase } from "../access/base.ts";
import { createDashboard } from "../api/change.ts";
import { dashboardsQuery } from "../api/query.ts";
import { useText } from "../text/index.ts";
import { join } from "../ui/class.ts";
import { NameDialog } from "../ui/lazyrename.tsx";

/** The dashboards of the base, next to its tables. */
export function DashboardTabs() {
  const { base } = useBase();
  const { dashboardId } = useParams();
  const { data = [] } = useQuery(dashboardsQuery(base.id));
  return data.map(({ id, name }) => (
    <Link
      key={id}
      to="/base/$baseId/dashboard/$dashboardId"
      params={{ baseId: base.id, dashboardId: id }}
      aria-current={id === dashboardId ? "page" : undefined}
      className={join(
        "flex h-9 shrink-0 items-center gap-2 rounded-t-md border border-b-0 px-3 font-[560]",
        id === dashboardId
          ? "-mb-px border-line bg-surface"
          : "border-transparent text-muted hover:bg-hover hover:text-ink",
      )}
    >
      <LayoutDashboard size={15} className="shrink-0" aria-hidden />
      <span className="max-w-48 truncate">{name}</span>
    </Link>
  ));
}

export function NewDashboard({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText().base.dashboard;
  const { base } = useBase();
  return (
    <NameDialog
      open={open}
      onClose={onClose}
      title={t.add}
      label={t.name}
      placeholder={t.placeholder}
      action={t.create}
      onSave={async (name) => {
        const { id } = await createDashboard({ baseId: base.id, body: { name } });
        await navigate({
          to: "/base/$baseId/dashboard/$dashboardId",
          params: { baseId: base.id, dashboardId: id },
        });
      }}
    />
  );
}
