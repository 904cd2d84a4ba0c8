export { CheckboxControl } from "./checkbox.tsx";
export { Chooser, OptionChooser } from "./choose.tsx";
export { ComputedControl } from "./computed.tsx";
export { LinkControl } from "./link.tsx";
export { StarsControl } from "./stars.tsx";
export { DateControl, TimestampControl } from "./time.tsx";
export { TypedControl } from "./typed.tsx";
