export default (value: object | null | undefined, key: string): boolean =>
  value !== null && value !== undefined && Object.hasOwn(value, key);
