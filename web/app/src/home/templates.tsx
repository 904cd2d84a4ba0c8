import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { startArchiveImport } from "../api/change.ts";
import { templatesQuery } from "../api/query.ts";
import type { Workspace } from "../api/type.ts";
import { JobWait } from "../job/jobwait.tsx";
import { useArchiveText } from "../text/archive.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { EntityIcon } from "../ui/icon.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { complain } from "../ui/toast.ts";
import { WorkspaceChoice } from "../job/workspacechoice.tsx";

type Props = {
  onClose: () => void;
  onBack: () => void;
  workspaces: Pick<Workspace, "id" | "name">[];
  into?: string;
};

/** Offers the templates, and makes a base of one. */
export default function Templates(props: Props) {
  const t = useArchiveText();
  const [jobId, setJobId] = useState<string>();
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t.templates}
      description={jobId ? undefined : t.templatesIntro}
      size="lg"
      keepOnOutsidePress
    >
      {jobId ? <JobWait jobId={jobId} onClose={props.onClose} plain /> : <TemplateList {...props} onBegun={setJobId} />}
    </Dialog>
  );
}

function TemplateList({ onBack, workspaces, into, onBegun }: Props & { onBegun: (jobId: string) => void }) {
  const t = useArchiveText();
  const list = useQuery(templatesQuery);
  const [workspaceId, setWorkspaceId] = useState(into ?? workspaces[0]?.id ?? "");
  const [busy, setBusy] = useState<string>();
  const begin = async (template: string) => {
    setBusy(template);
    try {
      onBegun((await startArchiveImport({ workspaceId, body: { template } })).id);
    } catch (error) {
      complain(error);
      setBusy(undefined);
    }
  };
  if (list.isError) return <Failed error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Waiting />;
  return (
    <div className="flex flex-col gap-4">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(230px,100%),1fr))] gap-3">
        {list.data.map(({ id, name, description, icon, tables }) => (
          <li key={id}>
            <button
              type="button"
              disabled={busy !== undefined}
              onClick={() => void begin(id)}
              className={join(
                "flex h-full w-full flex-col gap-2 rounded-lg border border-line bg-surface p-3.5 text-left shadow-low",
                "transition-colors hover:border-line-strong disabled:opacity-60",
              )}
            >
              <span className="flex items-center gap-2.5">
                <EntityIcon icon={icon} name={name} size={30} />
                <span className="font-[560]">{name}</span>
              </span>
              <span className="text-[13px] text-muted">{description}</span>
              <span className="mt-auto text-[12px] text-faint">{tables.join(" · ")}</span>
            </button>
          </li>
        ))}
      </ul>
      <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />
      <div className="flex justify-end">
        <Button onClick={onBack}>{t.back}</Button>
      </div>
    </div>
  );
}
