export { DateEditor, TimestampEditor } from "./time.tsx";
export { OptionEditor, OptionsEditor, PeopleEditor } from "./pick.tsx";
export { AreaEditor, LineEditor, NumberEditor } from "./typed.tsx";
