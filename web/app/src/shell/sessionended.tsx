import { useState } from "react";
import { send } from "../api/client.ts";
import { cache } from "../api/query.ts";
import { resumeAll } from "../grid/writer.ts";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { signInPath } from "./session.ts";

/** Asks to sign in again beside the page, and then goes on where it was. */
export default function SessionEnded({ onClose }: { onClose: () => void }) {
  const [still, setStill] = useState(false);
  const resume = async () => {
    try {
      await send("GET", "/api/v1/me");
      onClose();
      resumeAll();
      await cache.invalidateQueries();
    } catch {
      setStill(true);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.ended.title}
      keepOnOutsidePress
      footer={
        <>
          <Button onClick={() => window.open(signInPath, "_blank", "noopener")}>{text.ended.signIn}</Button>
          <Button look="primary" onClick={() => void resume()}>
            {text.ended.resume}
          </Button>
        </>
      }
    >
      <p className="text-muted">{text.ended.body}</p>
      {still && (
        <p role="alert" className="mt-3 text-danger">
          {text.ended.still}
        </p>
      )}
    </Dialog>
  );
}
