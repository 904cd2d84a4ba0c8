export { FormulaConfig } from "./formula.tsx";
export { CountConfig, LookupConfig, RollupConfig } from "./linked.tsx";
