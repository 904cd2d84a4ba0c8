import { type Language, useLocale } from "../locale/locale.ts";
import { agent } from "./en/agent.ts";

export type AgentText = typeof agent;

/** The texts of the page that agents' clients show, with which they are loaded. */
const catalogues: Record<Language, AgentText> = { en: agent };

export function useAgentText(): AgentText {
  return catalogues[useLocale().language];
}
