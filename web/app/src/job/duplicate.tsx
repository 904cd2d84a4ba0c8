import { useState } from "react";
import { duplicateBase, duplicateTable } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import type { Workspace } from "../api/type.ts";
import { useArchiveText } from "../text/archive.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox, Input, Row } from "../ui/form.tsx";
import { JobWait } from "./jobwait.tsx";
import { WorkspaceChoice } from "./workspacechoice.tsx";

type Props = {
  of: { baseId: string; name: string } | { tableId: string; name: string };
  /** Where the copy of a base can be. */
  workspaces?: Pick<Workspace, "id" | "name">[];
  into?: string;
  onClose: () => void;
};

/** Asks how a base or a table is copied, copies it, and says what came. */
export default function DuplicateDialog(props: Props) {
  const t = useArchiveText();
  const [jobId, setJobId] = useState<string>();
  return (
    <Dialog open onClose={props.onClose} title={t.duplicateTitle(props.of.name)} size="md" keepOnOutsidePress>
      {jobId ? <JobWait jobId={jobId} onClose={props.onClose} /> : <CopyForm {...props} onBegun={setJobId} />}
    </Dialog>
  );
}

function CopyForm({ of, workspaces = [], into, onClose, onBegun }: Props & { onBegun: (jobId: string) => void }) {
  const text = useText();
  const t = useArchiveText();
  const [name, setName] = useState(t.copyName(of.name));
  const [records, setRecords] = useState(true);
  const [workspaceId, setWorkspaceId] = useState(into);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const begin = async () => {
    setBusy(true);
    setProblem(undefined);
    const body = { name: name.trim(), records };
    try {
      const job =
        "baseId" in of
          ? await duplicateBase({ baseId: of.baseId, body: workspaceId ? { ...body, workspaceId } : body })
          : await duplicateTable({ tableId: of.tableId, body });
      onBegun(job.id);
    } catch (error) {
      setProblem(Problem.from(error));
      setBusy(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() && !busy) void begin();
      }}
    >
      <Row label={t.copyLabel} error={problem?.message}>
        {(at) => (
          <Input {...at} autoComplete="off" maxLength={200} value={name} onChange={(e) => setName(e.target.value)} />
        )}
      </Row>
      <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />
      <Checkbox checked={records} onChange={setRecords} label={t.withRecords} hint={t.withRecordsHint} />
      <p className="text-[13px] text-muted">{"baseId" in of ? t.baseNote : t.tableNote}</p>
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>{text.action.cancel}</Button>
        <Button type="submit" look="primary" disabled={!name.trim()} busy={busy}>
          {t.duplicate}
        </Button>
      </div>
    </form>
  );
}
