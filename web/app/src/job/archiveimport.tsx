import { FileArchive } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { startArchiveImport } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import type { Workspace } from "../api/type.ts";
import { upload } from "../api/upload.ts";
import { useArchiveText } from "../text/archive.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Row } from "../ui/form.tsx";
import { HelpLink } from "../ui/helplink.tsx";
import { Progress } from "../ui/state.tsx";
import { JobWait } from "./jobwait.tsx";
import { WorkspaceChoice } from "./workspacechoice.tsx";

type Props = {
  onClose: () => void;
  onBack: () => void;
  workspaces: Pick<Workspace, "id" | "name">[];
  into?: string;
};

/** Asks for an archive, makes a base of it, and says what came. */
export default function ArchiveImport(props: Props) {
  const t = useArchiveText();
  const [jobId, setJobId] = useState<string>();
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t.title}
      description={jobId ? undefined : t.intro}
      size="md"
      keepOnOutsidePress
    >
      {jobId ? <JobWait jobId={jobId} onClose={props.onClose} /> : <ArchiveForm {...props} onBegun={setJobId} />}
    </Dialog>
  );
}

function ArchiveForm({ onBack, workspaces, into, onBegun }: Props & { onBegun: (jobId: string) => void }) {
  const t = useArchiveText();
  const [file, setFile] = useState<File>();
  const [name, setName] = useState("");
  const [workspaceId, setWorkspaceId] = useState(into ?? workspaces[0]?.id ?? "");
  const [sent, setSent] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const begin = async () => {
    if (!file) return;
    setSent(0);
    setProblem(undefined);
    stop.current = new AbortController();
    try {
      const stored = await upload({
        to: `workspaces/${encodeURIComponent(workspaceId)}`,
        file,
        signal: stop.current.signal,
        onProgress: setSent,
      });
      const body = { file: stored.id, ...(name.trim() ? { name: name.trim() } : {}) };
      onBegun((await startArchiveImport({ workspaceId, body })).id);
    } catch (error) {
      if (stop.current.signal.aborted) return;
      setProblem(Problem.from(error));
      setSent(undefined);
    }
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (sent === undefined) void begin();
      }}
    >
      <ArchiveFile file={file} onChoose={setFile} />
      <Row label={t.name} hint={t.nameHint}>
        {(at) => (
          <Input {...at} autoComplete="off" maxLength={200} value={name} onChange={(e) => setName(e.target.value)} />
        )}
      </Row>
      <WorkspaceChoice workspaces={workspaces} value={workspaceId} onChange={setWorkspaceId} />
      {sent !== undefined && <Progress value={sent} max={1} label={t.uploading} />}
      {problem && (
        <p role="alert" className="text-[13px] text-danger">
          {problem.message}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 pt-1">
        <HelpLink className="mr-auto max-sm:basis-full" page="how-to/move-a-base">
          {t.help}
        </HelpLink>
        <Button onClick={onBack}>{t.back}</Button>
        <Button type="submit" look="primary" disabled={!file} busy={sent !== undefined}>
          {t.begin}
        </Button>
      </div>
    </form>
  );
}

/** Where a file is chosen or dropped. */
function ArchiveFile({ file, onChoose }: { file?: File; onChoose: (file: File) => void }) {
  const t = useArchiveText();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped) onChoose(dropped);
  };
  return (
    <div
      className={join(
        "flex items-center gap-3 rounded-lg border border-dashed px-4 py-4 transition-colors",
        over ? "border-accent bg-accent-soft" : "border-line-strong",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileArchive size={22} className="shrink-0 text-faint" aria-hidden />
      <span className="min-w-0 flex-1 truncate" aria-live="polite">
        {file ? file.name : <span className="text-muted">{t.drop}</span>}
      </span>
      <Button onClick={() => input.current?.click()}>{t.choose}</Button>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        aria-label={t.file}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) onChoose(chosen);
        }}
      />
    </div>
  );
}
