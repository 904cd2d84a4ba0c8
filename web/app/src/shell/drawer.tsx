import { Dialog } from "@base-ui/react/dialog";
import { useText } from "../text/index.ts";
import type { Overlay } from "./overlay.ts";
import { Sidebar } from "./sidebar.tsx";

/** The navigation over the page, in a narrow window. */
export default function Drawer({ onClose, onOverlay }: { onClose: () => void; onOverlay: (overlay: Overlay) => void }) {
  const text = useText();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Popup aria-label={text.shell.navigation} className="fixed inset-y-0 left-0 z-50 outline-none">
          <Sidebar
            onOverlay={(overlay) => {
              onClose();
              onOverlay(overlay);
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
