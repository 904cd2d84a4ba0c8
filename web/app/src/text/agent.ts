import { useLocale } from "../locale/locale.ts";
import { agent } from "./en/agent.ts";
import { translated } from "./translation.ts";

/** The texts of the page that agents' clients show, with which they are loaded. */
const agentTextOf = translated("agent", agent);

export const useAgentText = () => agentTextOf(useLocale());
