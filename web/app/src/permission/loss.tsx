import { usePermissionText } from "../text/permission.ts";

/** The most that a plan lists. */
const listed = 50;

/** Who would gain and lose what by a change. */
export function Losses({ losses = [], none }: { losses?: readonly { path: string; message: string }[]; none: string }) {
  const t = usePermissionText();
  if (losses.length === 0) return <p className="text-muted">{none}</p>;
  return (
    <>
      <p>{t.losses(losses.length)}</p>
      <ul className="mt-1.5 max-h-60 list-disc overflow-y-auto pl-4 text-[13px]">
        {losses.map(({ path, message }) => (
          <li key={`${path} ${message}`} className="break-words">
            {message}
          </li>
        ))}
      </ul>
      {losses.length >= listed && <p className="mt-1 text-[13px]">{t.more}</p>}
    </>
  );
}
