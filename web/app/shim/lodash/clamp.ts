export default (value: number, lower: number, upper: number): number => Math.max(lower, Math.min(upper, value));
