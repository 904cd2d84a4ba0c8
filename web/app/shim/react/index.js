import "./behavior.js";

export * from "preact/compat";
export { default } from "preact/compat";
