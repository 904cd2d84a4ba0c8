declare module "virtual:symbols" {
  import type { IconNode } from "lucide-react";

  export const symbolsBy: Record<string, () => Promise<{ symbols: Record<string, IconNode> }>>;
}
